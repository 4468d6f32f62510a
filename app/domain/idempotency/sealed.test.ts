import { createCipheriv, createHash, hkdfSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { open, seal } from "./sealed.server.ts";

const by = { scope: "account:1", key: "a-key", request: '{"name":"x"}' };

describe("A sealed response", () => {
  it("differs each time, also for the same response to the same request", () => {
    const [first, second] = [seal("response", by), seal("response", by)];
    expect(first.subarray(0, 12)).not.toEqual(second.subarray(0, 12));
    expect(first.subarray(12)).not.toEqual(second.subarray(12));
    expect(open(first, by)).toBe("response");
    expect(open(second, by)).toBe("response");
  });

  it.each([{ scope: "account:2" }, { key: "another" }, { request: "{}" }])("does not open for %j", (other) => {
    expect(() => open(seal("response", by), { ...by, ...other })).toThrow();
  });

  it("opens if an earlier version sealed it with a constant nonce", () => {
    const key = new Uint8Array(
      hkdfSync("sha256", by.key, by.scope, createHash("sha256").update(by.request).digest(), 32),
    );
    const cipher = createCipheriv("aes-256-gcm", key, Buffer.alloc(12));
    const sealed = Buffer.concat([cipher.update("before", "utf8"), cipher.final(), cipher.getAuthTag()]);
    expect(open(sealed, by)).toBe("before");
  });
});
