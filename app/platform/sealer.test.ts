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
  changed[14] = (changed[14] ?? 0) ^ 1;
  expect(() => sealer.open(changed, "two-factor:12")).toThrow();
});
