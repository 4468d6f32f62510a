/**
 * OWASP API7:2023: webhooks reach public addresses only. `transport.test.ts` has redirects, and names whose address changes
 * after the check.
 */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { liveApi } from "../../testing/live-api.ts";

const { send, register } = liveApi(inject("services").server);

let token: string;
/** The path of a webhook with a public address. */
let existing: string;
beforeAll(async () => {
  ({ token } = await register());
  const body = { url: "https://1.1.1.1/hook", event_types: ["api_key.revoked"], description: "" };
  existing = `/api/webhooks/${(await send("POST", "/api/webhooks", { token, body })).json.id}`;
});

const targets = [
  ...["https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://017700000001/"],
  ...["https://0.0.0.0/", "https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.1.1/", "https://100.64.0.1/"],
  ...["https://169.254.169.254/latest/meta-data/", "https://169.254.170.2/v2/credentials", "https://100.100.100.200/"],
  ...["https://168.63.129.16:32526/", "https://198.18.0.1/"],
  ...[
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[fe80::1]/",
  ],
  ...["https://[fd00:ec2::254]/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/", "https://[ff02::1]/"],
  ...["https://localhost/", "https://localhost./", "https://app.localhost/", "https://LOCALHOST/"],
  ...["http://hooks.example.com/", "file:///etc/passwd", "gopher://127.0.0.1/", "ftp://example.com/"],
  ...[
    "https://user:password@example.com/",
    "https://example.com:22/",
    "https://example.com:25/",
    "//127.0.0.1/",
    "https://",
  ],
];

describe("A webhook", () => {
  it.each(targets)("cannot be sent to %s", async (url) => {
    const body = { url, event_types: ["api_key.revoked"], description: "" };
    for (const [method, path] of [
      ["POST", "/api/webhooks"],
      ["PUT", existing],
    ] as const) {
      const { status, text } = await send(method, path, { token, body });
      expect([method, status]).toEqual([method, 422]);
      expect(text).not.toMatch(/ECONN|ENOTFOUND|refused|timed? ?out/i);
    }
  });

  it("can be sent to a public address", async () => {
    expect((await send("GET", existing, { token })).json.url).toBe("https://1.1.1.1/hook");
  });
});
