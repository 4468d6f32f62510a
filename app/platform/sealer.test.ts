import { createCipheriv } from "node:crypto";
import { expect, it } from "vitest";
import { sealerOf } from "./sealer.server.ts";

const sealer = sealerOf(new Uint8Array(32).fill(7));
const secret = new TextEncoder().encode("a shared secret");

it("A sealed secret opens with the same key and subject", () => {
  const sealed = sealer.seal(secret, "two-factor:12");
  expect(Buffer.from(sealed).toString("latin1")).not.toContain("shared");
  expect(sealer.open(sealed, "two-factor:12")).toEqual(Buffer.from(secret));
  expect(sealer.seal(secret, "two-factor:12")).not.toEqual(sealed);
});

it("It does not open with another key or subject, or after a change", () => {
  const sealed = sealer.seal(secret, "two-factor:12");
  expect(() => sealer.open(sealed, "two-factor:13")).toThrow();
  expect(() => sealerOf(new Uint8Array(32)).open(sealed, "two-factor:12")).toThrow();
  const changed = Uint8Array.from(sealed);
  changed[19] = (changed[19] ?? 0) ^ 1;
  expect(() => sealer.open(changed, "two-factor:12")).toThrow();
});

const next = new Uint8Array(32).fill(8);

it("A secret opens after its key was replaced, and is then sealed by the new one", () => {
  const before = sealer.seal(secret, "two-factor:12");
  const rotated = sealerOf(next, [new Uint8Array(32).fill(7)]);
  expect(rotated.open(before, "two-factor:12")).toEqual(Buffer.from(secret));
  const after = rotated.seal(secret, "two-factor:12");
  expect(sealerOf(next).open(after, "two-factor:12")).toEqual(Buffer.from(secret));
  expect(() => sealerOf(next).open(before, "two-factor:12")).toThrow("SECRETS_KEY_PREVIOUS");
});

it("The mark tells with which key a secret is sealed", () => {
  const { mark } = sealer;
  expect(Buffer.from(sealer.seal(secret, "x")).subarray(0, mark.length)).toEqual(mark);
  expect(sealerOf(next).mark).not.toEqual(mark);
});

it.each([sealer, sealerOf(next, [new Uint8Array(32).fill(7)])])(
  "A secret of the first layout, without a mark, opens",
  (by) => {
    const nonce = Buffer.alloc(12, 1);
    const cipher = createCipheriv("aes-256-gcm", new Uint8Array(32).fill(7), nonce).setAAD(
      Buffer.from("two-factor:12"),
    );
    const first = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    expect(by.open(first, "two-factor:12")).toEqual(Buffer.from(secret));
  },
);
