/**
 * An authenticator in software: what a phone or a security key answers when a page creates or uses a passkey (WebAuthn level 3).
 * Tests can make it answer for another site, without verification of the person, or with an older count.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

type Creation = { challenge: string; rp: { id?: string | undefined }; user: { id: string } };
type Request = { challenge: string; rpId?: string | undefined };

/** What differs from an honest answer. */
type Twist = {
  origin?: string;
  rpId?: string;
  /** Whether the person was verified, by a fingerprint, a face or a PIN. */
  userVerified?: boolean;
  /** The count of signatures. By default it rises by 1. */
  signCount?: number;
  challenge?: string;
  type?: string;
  userHandle?: string;
};

const present = 0x01;
const verified = 0x04;
const backupEligible = 0x08;
const backedUp = 0x10;
const attested = 0x40;

export class SoftPasskey {
  readonly id = randomBytes(32).toString("base64url");
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #origin: string;
  readonly #isSynced: boolean;
  #signCount = 0;
  #userHandle = "";
  #rpId = "";

  /** @param options.isSynced as phones do: a copy is kept, and signatures are not counted */
  constructor(origin: string, { isSynced = false } = {}) {
    this.#origin = origin;
    this.#isSynced = isSynced;
  }

  /** @returns the JSON that the page sends after `navigator.credentials.create` */
  create(options: Creation, twist: Twist = {}): string {
    this.#userHandle = options.user.id;
    this.#rpId = options.rp.id ?? "";
    const authData = Buffer.concat([
      this.#authData({ extraFlags: attested, signCount: 0, ...twist }),
      Buffer.alloc(16),
      uint16(Buffer.from(this.id, "base64url").length),
      Buffer.from(this.id, "base64url"),
      coseKey(this.#keys.publicKey),
    ]);
    const attestationObject = cborMap([
      ["fmt", cborText("none")],
      ["attStmt", cborMap([])],
      ["authData", cborBytes(authData)],
    ]);
    return this.#json({
      clientDataJSON: this.#clientData("webauthn.create", options.challenge, twist).toString("base64url"),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** @returns the JSON that the page sends after `navigator.credentials.get` */
  get(options: Request, twist: Twist = {}): string {
    if (!this.#isSynced) this.#signCount += 1;
    const clientData = this.#clientData("webauthn.get", options.challenge, twist);
    const authData = this.#authData({ signCount: this.#signCount, ...twist });
    const signature = createSign("sha256")
      .update(authData)
      .update(createHash("sha256").update(clientData).digest())
      .sign(this.#keys.privateKey);
    return this.#json({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: signature.toString("base64url"),
      userHandle: twist.userHandle ?? this.#userHandle,
    });
  }

  #json(response: object): string {
    return JSON.stringify({ id: this.id, rawId: this.id, type: "public-key", response, clientExtensionResults: {} });
  }

  #clientData(type: string, challenge: string, twist: Twist): Buffer {
    const data = { type, challenge, origin: this.#origin, crossOrigin: false };
    const { origin = data.origin } = twist;
    return Buffer.from(
      JSON.stringify({ ...data, origin, type: twist.type ?? type, challenge: twist.challenge ?? challenge }),
    );
  }

  #authData({
    rpId = this.#rpId,
    userVerified = true,
    signCount = 0,
    extraFlags = 0,
  }: Twist & { extraFlags?: number }): Buffer {
    const flags =
      present | (userVerified ? verified : 0) | (this.#isSynced ? backupEligible | backedUp : 0) | extraFlags;
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), uint32(signCount)]);
  }
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

// ── CBOR (RFC 8949), as far as it is needed ─────────────────────────────────────────────────────────

const cborHead = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(length)]);

const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborInteger = (value: number): Buffer => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborMap = (entries: [key: string | number, value: Buffer][]): Buffer =>
  Buffer.concat([
    cborHead(5, entries.length),
    ...entries.flatMap(([key, value]) => [typeof key === "string" ? cborText(key) : cborInteger(key), value]),
  ]);

/** An ES256 key (RFC 9053): kty EC2, alg ES256, curve P-256, x and y. */
const coseKey = (key: KeyObject): Buffer => {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return cborMap([
    [1, cborInteger(2)],
    [3, cborInteger(-7)],
    [-1, cborInteger(1)],
    [-2, cborBytes(Buffer.from(x, "base64url"))],
    [-3, cborBytes(Buffer.from(y, "base64url"))],
  ]);
};
