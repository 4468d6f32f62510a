/**
 * Verification of webhooks in several languages: each defines `verify(secret, headers, body)`, which returns the event or
 * fails. The body is the text as it arrived; the names of the headers are in lower case.
 */
import { toleranceMinutes } from "../domain/webhooks/policy.ts";

const toleranceSeconds = toleranceMinutes * 60;

export const withLibrary = `import { Webhook } from "standardwebhooks";

export const verify = (secret: string, headers: Record<string, string>, body: string): unknown =>
  new Webhook(secret).verify(body, headers);`;

export const withNode = `import { createHmac, timingSafeEqual } from "node:crypto";

export const verify = (secret, headers, body) => {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= ${toleranceSeconds})) throw new Error("The timestamp is too old or too new");
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  const isOurs = headers["webhook-signature"].split(" ").some((signature) => {
    const [version, encoded = ""] = signature.split(",");
    const given = Buffer.from(encoded, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isOurs) throw new Error("No signature matches");
  return JSON.parse(body);
};`;

export const withPython = `import base64, hashlib, hmac, json, time

def verify(secret, headers, body):
    msg_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > ${toleranceSeconds}:
        raise ValueError("The timestamp is too old or too new")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{msg_id}.{timestamp}.{body}".encode()
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    for signature in headers["webhook-signature"].split(" "):
        version, _, given = signature.partition(",")
        if version == "v1" and hmac.compare_digest(given.encode(), expected.encode()):
            return json.loads(body)
    raise ValueError("No signature matches")`;

/** The body is in bytes, as it was read. */
export const withPerl = `use strict; use warnings;
use Digest::SHA qw(hmac_sha256);
use MIME::Base64 qw(decode_base64);
use JSON::PP qw(decode_json);

sub verify {
    my ($secret, $headers, $body) = @_;
    my ($id, $timestamp) = ($headers->{'webhook-id'}, $headers->{'webhook-timestamp'});
    die "No timestamp\\n" unless $timestamp =~ /^\\d+$/;
    die "The timestamp is too old or too new\\n" if abs(time - $timestamp) > ${toleranceSeconds};
    my $key = decode_base64($secret =~ s/^whsec_//r);
    my $expected = hmac_sha256("$id.$timestamp.$body", $key);
    for my $signature (split / /, $headers->{'webhook-signature'}) {
        my ($version, $encoded) = split /,/, $signature, 2;
        next unless $version eq 'v1';
        my $given = decode_base64($encoded // '');
        next unless length $given == length $expected;
        # In constant time: all bytes are compared.
        my $difference = 0;
        $difference |= ord(substr($given, $_, 1)) ^ ord(substr($expected, $_, 1)) for 0 .. length($expected) - 1;
        return decode_json($body) if $difference == 0;
    }
    die "No signature matches\\n";
}`;
