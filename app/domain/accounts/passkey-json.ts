/** Schemas of what browsers send for a passkey: a form field with the JSON of WebAuthn's `PublicKeyCredential`. */
import { z } from "zod";
import { passkeyNameLength } from "./policy.ts";

/** Several times what browsers send. */
const longestAnswer = 20_000;

const base64url = z.string().regex(/^[\w-]*$/);

const credential = { id: base64url.min(1).max(1400), rawId: base64url, type: z.literal("public-key") };

const transports = z.array(z.string()).transform((all) => all.filter((one) => knownTransports.has(one)));
const knownTransports: ReadonlySet<string> = new Set([
  "ble",
  "cable",
  "hybrid",
  "internal",
  "nfc",
  "smart-card",
  "usb",
]);

const attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: transports.default([]),
  }),
});
export type Attestation = z.infer<typeof attestation>;

const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
});
export type Assertion = z.infer<typeof assertion>;

/** Null: this is no answer of a browser. */
export const readAttestation = (json: string): Attestation | null => attestation.safeParse(parsed(json)).data ?? null;
export const readAssertion = (json: string): Assertion | null => assertion.safeParse(parsed(json)).data ?? null;

const clientData = z.object({ challenge: z.string().min(1) });

/** The challenge that the browser says it has answered. Not checked yet. */
export const challengeIn = ({ response }: Attestation | Assertion): string | null =>
  clientData.safeParse(parsed(Buffer.from(response.clientDataJSON, "base64url").toString())).data?.challenge ?? null;

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
};

/** Empty: the browser has no scripts, or does not know passkeys. */
export const passkeyAnswer = z.string().max(longestAnswer);

const passkeyName = z
  .string()
  .trim()
  .min(1, "Enter a name, such as the device that holds the passkey")
  .max(passkeyNameLength, `At most ${passkeyNameLength} characters`);

export const newPasskey = z.strictObject({ passkey: passkeyAnswer, name: passkeyName });
export const passkeyRename = z.strictObject({ id: z.coerce.number().int(), name: passkeyName });
export const passkeyRemoval = z.strictObject({ id: z.coerce.number().int() });
