/**
 * What browsers and authenticators say, checked with SimpleWebAuthn. Passkeys belong to the host of `APP_URL`, and are accepted
 * from its origin only.
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import type { Account } from "./caller.ts";
import type { Assertion, Attestation } from "./passkey-json.ts";
import { passkeyChallengeMinutes } from "./policy.ts";

export type CreationOptions = PublicKeyCredentialCreationOptionsJSON;
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON;

/** Loaded with the first passkey: it takes 30 MB, and most processes see none for a long time. */
const library = () => import("@simplewebauthn/server");

/** COSE's numbers of ES256, EdDSA and RS256. */
const algorithms = [-7, -8, -257];

const timeout = passkeyChallengeMinutes * 60_000;

type World = Pick<Context, "settings">;
type Known = { id: string; transports: string[] };

/** @throws conflict where the site has no host name, which browsers require */
const relyingPartyOf = ({ settings }: World) => {
  const { hostname, origin } = new URL(settings.appUrl);
  if (/^[\d.]+$|:/.test(hostname)) throw conflict("Passkeys need a site with a host name, not an IP address");
  return { id: hostname, origin };
};

export const creationOptionsOf = async (
  ctx: World,
  { account, challenge, userHandle, known }: NewCredential,
): Promise<CreationOptions> => {
  const { id: rpID } = relyingPartyOf(ctx);
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: "Shipping Route Data Service",
    rpID,
    userName: account.email,
    userDisplayName: account.username,
    userID: new Uint8Array(Buffer.from(userHandle, "base64url")),
    challenge,
    timeout,
    attestationType: "none",
    excludeCredentials: known,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
  });
};

type NewCredential = {
  account: Pick<Account, "email" | "username">;
  challenge: Uint8Array<ArrayBuffer>;
  userHandle: string;
  /** The account's passkeys, so that no authenticator gets two. */
  known: Known[];
};

/** @param allowed the account's passkeys. Empty: the browser offers all it has for this site */
export const requestOptionsOf = async (
  ctx: World,
  challenge: Uint8Array<ArrayBuffer>,
  allowed: Known[],
): Promise<RequestOptions> => {
  const { id: rpID } = relyingPartyOf(ctx);
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID,
    challenge,
    timeout,
    allowCredentials: allowed,
    userVerification: "required",
  });
};

export type NewPasskey = {
  credentialId: string;
  publicKey: Uint8Array;
  signCount: number;
  transports: string[];
  aaguid: string;
  isSynced: boolean;
};

/** A new passkey. Null: not made for this site and challenge, or without verification of the person. */
export const checkAttestation = async (
  ctx: World,
  response: Attestation,
  expectedChallenge: string,
): Promise<NewPasskey | null> => {
  const { id: expectedRPID, origin: expectedOrigin } = relyingPartyOf(ctx);
  const { verifyRegistrationResponse } = await library();
  const expected = { expectedChallenge, expectedOrigin, expectedRPID, supportedAlgorithmIDs: algorithms };
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} },
    ...expected,
    requireUserVerification: true,
  }).catch(notVerified);
  if (!verified || !registrationInfo) return null;
  const { credential, aaguid, credentialBackedUp } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    signCount: credential.counter,
    transports: response.response.transports,
    aaguid,
    isSynced: credentialBackedUp,
  };
};

/**
 * An answer with a passkey. Null: the signature is wrong, or made for another site or challenge, or without verification of
 * the person. The caller compares the count.
 */
export const checkAssertion = async (
  ctx: World,
  response: Assertion,
  expectedChallenge: string,
  { credentialId, publicKey }: { credentialId: string; publicKey: Uint8Array },
): Promise<{ signCount: number; isSynced: boolean } | null> => {
  const { id: expectedRPID, origin: expectedOrigin } = relyingPartyOf(ctx);
  const { verifyAuthenticationResponse } = await library();
  const { userHandle, ...signed } = response.response;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...response,
      response: { ...signed, ...(userHandle ? { userHandle } : {}) },
      clientExtensionResults: {},
    },
    expectedChallenge,
    expectedOrigin,
    expectedRPID,
    // The library would reject a count that fell before it checks the signature. We want to know that the passkey is right.
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
    requireUserVerification: true,
  }).catch(notVerified);
  if (!verified || !authenticationInfo) return null;
  return { signCount: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp };
};

/** The library throws for whatever it does not accept. */
const notVerified = () => ({ verified: false as const, registrationInfo: undefined, authenticationInfo: undefined });
