import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../../testing/webhook-receiver.ts";
import { readTarget } from "./target.ts";
import { webhookTransport } from "./transport.server.ts";

const message = { headers: { "Content-Type": "application/json" }, body: "{}" };
const refused = "The host has a private or reserved address, to which webhooks are not sent";

describe("The connection to a receiver", () => {
  let there: Receiver;
  beforeAll(async () => {
    there = await startReceiver(() => ({ status: 200, body: "ok" }));
  });
  afterAll(() => there.close());

  it.each([
    "http://127.0.0.1:PORT/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://0.0.0.0:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f.1:PORT/",
    "http://localhost:PORT/",
    "http://169.254.169.254/latest/meta-data/",
  ])("is rejected for %s, at registration and when it is made", async (pattern) => {
    const url = pattern.replace("http:", "https:").replace("PORT", String(there.port));
    const transport = webhookTransport({ allowPrivate: false });
    await expect(transport.check(new URL(url))).rejects.toThrow(refused);
    await expect(transport.post({ ...message, url })).rejects.toThrow(refused);
    expect(there.received).toEqual([]);
  });

  it("is rejected if any of the host's addresses is private", async () => {
    const transport = webhookTransport({ allowPrivate: false, resolve: async () => ["93.184.215.14", "10.0.0.1"] });
    await expect(transport.check(new URL("https://example.com/"))).rejects.toThrow(refused);
    await expect(transport.post({ ...message, url: "https://example.com/" })).rejects.toThrow(refused);
  });

  it("is rejected when the host has been rebound to a private address since the registration", async () => {
    const answers = [["93.184.215.14"], ["127.0.0.1"]];
    const transport = webhookTransport({ allowPrivate: false, resolve: async () => answers.shift() ?? [] });
    const url = `https://rebinding.example.com:${there.port}/`;
    await transport.check(new URL(url));
    await expect(transport.post({ ...message, url })).rejects.toThrow(refused);
    expect(answers).toEqual([]);
    expect(there.received).toEqual([]);
  });

  it("looks up the host once for each message and goes to the address that was checked", async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return ["127.0.0.1"];
    };
    const transport = webhookTransport({ allowPrivate: true, resolve });
    const url = `http://receiver.example.com:${there.port}/a?b=c`;
    for (const _ of [1, 2])
      expect(await transport.post({ ...message, url })).toMatchObject({ status: 200, body: "ok" });
    expect(asked).toEqual(["receiver.example.com", "receiver.example.com"]);
    expect(there.received.map(({ path, headers }) => [path, headers.host])).toEqual(
      Array(2).fill(["/a?b=c", `receiver.example.com:${there.port}`]),
    );
  });

  it("says that a host name does not exist", async () => {
    const transport = webhookTransport({
      allowPrivate: false,
      resolve: async () => {
        throw new Error("ENOTFOUND");
      },
    });
    await expect(transport.check(new URL("https://nowhere.example/"))).rejects.toThrow(
      "The host name could not be resolved",
    );
  });

  it("is rejected if the TLS certificate cannot be verified, or there is no TLS", async () => {
    const transport = webhookTransport({ allowPrivate: true });
    await expect(transport.post({ ...message, url: `https://127.0.0.1:${there.port}/` })).rejects.toThrow(
      "The connection failed",
    );
  });
});

describe("The URL of an endpoint", () => {
  const problem = (url: string, allowPrivate: boolean) => {
    try {
      return readTarget(url, { allowPrivate }).href;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    ["https://example.com/hook?a=b", "https://example.com/hook?a=b"],
    ["https://EXAMPLE.com:8443", "https://example.com:8443/"],
    ["https://example.com:443/", "https://example.com/"],
    ["http://example.com/", "Must begin with https://"],
    ["ftp://example.com/", "Must begin with https://"],
    ["example.com", "Enter a full URL, like https://example.com/webhooks"],
    ["https://user@example.com/", "Must not contain a username or password"],
    ["https://example.com/#a", "Must not contain a fragment (#)"],
    ["https://example.com:22/", "The port must be 443, or 1024 or above"],
    ["https://example.com:80/", "The port must be 443, or 1024 or above"],
    [`https://example.com/${"a".repeat(2_000)}`, "At most 2000 characters"],
  ])("%s is read as, or refused with: %s", (url, expected) => {
    expect(problem(url, false)).toBe(expected);
  });

  it.each([
    ["http://127.0.0.1:4000/hook", "http://127.0.0.1:4000/hook"],
    ["http://receiver/", "http://receiver/"],
    ["http://127.0.0.1:22/", "The port must be 443, or 1024 or above"],
    ["ftp://127.0.0.1/", "Must begin with https://"],
  ])("%s where private addresses are allowed: %s", (url, expected) => {
    expect(problem(url, true)).toBe(expected);
  });
});
