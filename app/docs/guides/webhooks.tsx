import { subscribableTypes } from "../../domain/webhooks/enums.ts";
import { payloadOf, webhookEventDefinitions } from "../../domain/webhooks/events.ts";
import {
  disabledAfterHours,
  jitterPercent,
  largestPayloadBytes,
  longestRetryAfterMinutes,
  maxEndpoints,
  retentionDays,
  retryMinutes,
  rotationHours,
  timeoutSeconds,
  toleranceMinutes,
} from "../../domain/webhooks/policy.ts";
import { counted } from "../../domain/wording.ts";
import { CodeBlock } from "../../portal/components/code-block.tsx";
import type { GuideFacts } from "../guides.ts";
import { Prose, Section } from "../prose.tsx";
import { withLibrary, withNode, withPerl, withPython } from "../webhook-samples.ts";

const inWords = (minutes: number): string =>
  minutes % 60 === 0 ? counted(minutes / 60, "hour") : counted(minutes, "minute");

const example = JSON.stringify(
  JSON.parse(
    payloadOf({
      accountId: 1,
      type: "report.added",
      key: "",
      data: {
        route_id: 109,
        route_code: "C-CNSHA-NLRTM-PEL9",
        route_name: "Shanghai to Rotterdam, Pelagia",
        revision: 1204,
        reports: 12,
        observed_from: "2026-11-19T07:00:00.000Z",
        observed_to: "2026-11-20T07:00:00.000Z",
      },
      at: new Date(Date.UTC(2026, 10, 20, 9, 30)),
    }),
  ),
  null,
  2,
);

export const Webhooks = ({ testMode }: GuideFacts) => (
  <Prose>
    <p>
      A webhook is a POST request that we send to your endpoint when an event happens. Deliveries follow{" "}
      <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>, so you can verify them with its libraries.
      Register up to {maxEndpoints} endpoints in the portal, under Account settings, or with <code>POST /webhooks</code>
      . Store the signing secret: we show it only once.
    </p>
    <Section id="types" title="Event types">
      <ul>
        {subscribableTypes.map((type) => (
          <li key={type}>
            <code>{type}</code>: {webhookEventDefinitions[type].summary}
          </li>
        ))}
        <li>
          <code>endpoint.test</code>: {webhookEventDefinitions["endpoint.test"].summary}
        </li>
      </ul>
      <p>
        The OpenAPI document describes each event under <code>webhooks</code>. Data events tell you what changed,
        without the figures: read those with <code>GET /route-access/changes</code>. You get data events for routes that
        you have an active subscription to.
      </p>
      <CodeBlock title="Body of report.added" code={example} />
    </Section>
    <Section id="verification" title="Verify the signature">
      <p>
        The header <code>webhook-signature</code> has one or more signatures, separated by spaces. Each is{" "}
        <code>v1,</code> followed by the base64-encoded HMAC-SHA256 of <code>webhook-id.webhook-timestamp.body</code>.
        The key is the secret, base64-decoded, without its prefix <code>whsec_</code>. Use the raw body, before you
        parse it, and reject timestamps that are more than {toleranceMinutes} minutes from the current time.
      </p>
      <CodeBlock title="TypeScript, with the package standardwebhooks" code={withLibrary} />
      <CodeBlock title="JavaScript, with Node.js only" code={withNode} />
      <CodeBlock title="Python, with its standard library" code={withPython} />
      <CodeBlock title="Perl, with its core modules" code={withPerl} />
    </Section>
    <Section id="responses" title="Respond quickly">
      <p>
        Return any 2xx status within {timeoutSeconds} seconds. Everything else is a failed attempt, redirects included.
        Respond first and process the event afterwards. <code>410 Gone</code> disables the endpoint.
      </p>
      <p>
        We deliver each event at least once, so you may get one twice. Ignore a <code>webhook-id</code> that you have
        already processed; it is the same for every attempt and replay. An endpoint gets one request at a time. The
        order is not guaranteed, because a failed delivery does not hold up later ones. A body has at most{" "}
        {largestPayloadBytes / 1024} KiB.
      </p>
    </Section>
    <Section id="retries" title="Retries">
      <p>
        We retry a failed delivery after {retryMinutes.map(inWords).join(", ")}: {retryMinutes.length + 1} attempts
        within three days. A random jitter makes each delay up to {jitterPercent}% longer. If your response has a longer{" "}
        <code>Retry-After</code>, we wait that long, up to {inWords(longestRetryAfterMinutes)}. If every attempt fails
        for {disabledAfterHours} hours, we disable the endpoint and send you an e-mail.
      </p>
      <p>
        The delivery log keeps every attempt for {retentionDays} days. Replay one delivery, or all deliveries that
        failed since a given time, in the portal or with{" "}
        <code>POST /webhooks/&#123;endpoint_id&#125;/replay-failed</code>. We do not store events for an endpoint while
        it is disabled.
      </p>
    </Section>
    <Section id="rotation" title="Rotate the secret">
      <p>
        For {rotationHours} hours after a rotation, every delivery has two signatures: one with the new secret and one
        with the old. Replace the secret in your receiver within that time, and no delivery is lost.
      </p>
    </Section>
    <Section id="addresses" title="Endpoint URLs">
      <p>
        A URL must use https and port 443 or a port above 1023, and have no credentials. Its host must resolve to public
        IP addresses only. We check that when you register the endpoint and for each connection, and verify the TLS
        certificate.
      </p>
      {testMode ? (
        <p>
          To test an endpoint on your own computer, start the service with <code>WEBHOOK_ALLOW_PRIVATE=on</code>. It
          then accepts URLs such as <code>http://127.0.0.1:4000/webhooks</code>. <code>webhook-timestamp</code> is the
          real time, so that signatures are valid even if the test clock is ahead; <code>timestamp</code> in the body is
          the time of the test clock.
        </p>
      ) : null}
    </Section>
  </Prose>
);
