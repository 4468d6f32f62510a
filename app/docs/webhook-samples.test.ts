import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { systemClock } from "../domain/clock.ts";
import type { Context } from "../domain/context.ts";
import { createEndpoint, rotateSecret } from "../domain/webhooks/manage.server.ts";
import { sendDueWebhooks } from "../domain/webhooks/send.server.ts";
import { type Received, type Receiver, startReceiver } from "../testing/webhook-receiver.ts";
import { createWorld, type World } from "../testing/world.ts";
import { withLibrary, withNode, withPerl, withPython } from "./webhook-samples.ts";

/** A file that verifies what it gets as JSON in its first argument, and prints the event's type. */
const programs = {
  "TypeScript with the library": {
    file: "library.ts",
    run: ["node", "--import", "tsx"],
    code: `${withLibrary}
const [secret, headers, body] = JSON.parse(process.argv[2] ?? "");
console.log((verify(secret, headers, body) as { type: string }).type);`,
  },
  "JavaScript with Node.js only": {
    file: "node.mjs",
    run: ["node"],
    code: `${withNode}
const [secret, headers, body] = JSON.parse(process.argv[2] ?? "");
console.log(verify(secret, headers, body).type);`,
  },
  Python: {
    file: "sample.py",
    run: ["python3"],
    code: `${withPython}

import sys
print(verify(*json.loads(sys.argv[1]))["type"])`,
  },
  Perl: {
    file: "sample.pl",
    run: ["perl"],
    code: `${withPerl}
my ($secret, $headers, $body) = @{decode_json($ARGV[0])};
utf8::encode($body);
print verify($secret, $headers, $body)->{type}, "\\n";`,
  },
} as const;

const root = fileURLToPath(new URL("../..", import.meta.url));

describe.each(Object.entries(programs))("The verification sample in %s", (_, { file, run, code }) => {
  let world: World;
  let receiver: Receiver;
  let folder: string;
  let secrets: { previous: string; current: string };
  let message: Received;

  beforeAll(async () => {
    world = await createWorld({ catalogue: "empty" });
    receiver = await startReceiver();
    folder = mkdtempSync(path.join(tmpdir(), "webhook-sample-"));
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    writeFileSync(path.join(folder, file), code);
    const { caller } = await world.account();
    const input = { url: receiver.url, description: "", event_types: ["api_key.created" as const] };
    const { id, secret } = await createEndpoint(world.ctx, caller, input);
    secrets = { previous: secret, current: (await rotateSecret(world.ctx, caller, { id })).secret };
    await issueKey(world.ctx, caller, { api_key_name: "Nächtlich — 毎晩", user: "ops" });
    const inRealTime: Context = { ...world.ctx, deviceClock: systemClock };
    await sendDueWebhooks(inRealTime);
    const [received] = receiver.received;
    if (!received) throw new Error("Nothing was delivered");
    message = received;
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await receiver.close();
    await world.close();
  });

  const verify = async (secret: string, headers: Received["headers"], body: string) => {
    const [program, ...args] = run;
    const given = JSON.stringify([secret, headers, body]);
    const { stdout } = await promisify(execFile)(program, [...args, path.join(folder, file), given], { cwd: root });
    return stdout.trim();
  };

  it("accepts a delivery with the current secret and with the previous one", async () => {
    expect(await verify(secrets.current, message.headers, message.body)).toBe("api_key.created");
    expect(await verify(secrets.previous, message.headers, message.body)).toBe("api_key.created");
  });

  it("rejects another body, another id, another secret and another signature", async () => {
    const { headers, body } = message;
    const otherSecret = `whsec_${Buffer.alloc(32).toString("base64")}`;
    await expect(verify(secrets.current, headers, body.replace('"ops"', '"evil"'))).rejects.toThrow();
    await expect(verify(secrets.current, { ...headers, "webhook-id": "msg_other" }, body)).rejects.toThrow();
    await expect(verify(otherSecret, headers, body)).rejects.toThrow();
    await expect(verify(secrets.current, { ...headers, "webhook-signature": "v1,AAAA" }, body)).rejects.toThrow();
  });

  it("rejects an old timestamp", async () => {
    const old = String(Number(message.headers["webhook-timestamp"]) - 301);
    const headers = { ...message.headers, "webhook-timestamp": old };
    await expect(verify(secrets.current, headers, message.body)).rejects.toThrow(/too old|old/);
  });
});
