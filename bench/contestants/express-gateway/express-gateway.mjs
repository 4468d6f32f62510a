/** express-gateway's key-auth, with its keys in Redis. A policy of ours answers in place of its proxy, which saves it a hop. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { answerTo, ready } from "../contestant.mjs";

const require = createRequire(import.meta.url);
const folder = mkdtempSync(path.join(tmpdir(), "express-gateway-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const own = path.dirname(require.resolve("express-gateway/package.json"));
cpSync(path.join(own, "lib", "config", "models"), path.join(folder, "models"), { recursive: true });

const { hostname: host, port } = new URL(process.env.REDIS_URL);
// JSON is YAML.
const write = (name, settings) => writeFileSync(path.join(folder, name), JSON.stringify(settings));
write("system.config.yml", {
  db: { redis: { host, port: Number(port), namespace: "EG" } },
  crypto: { cipherKey: "bench", algorithm: "aes256", saltRounds: 10 },
});
write("gateway.config.yml", {
  http: { port: Number(process.env.PORT), hostname: "127.0.0.1" },
  apiEndpoints: { all: { host: "*" } },
  policies: ["key-auth", "answer"],
  pipelines: { all: { apiEndpoints: ["all"], policies: [{ "key-auth": null }, { answer: null }] } },
});
process.env.EG_CONFIG_DIR = folder;
process.env.EG_DISABLE_CONFIG_WATCH = "true";
process.env.LOG_LEVEL = "error";

require("express-gateway/lib/policies").register({
  name: "answer",
  schema: { $id: "http://example.com/answer.json", type: "object" },
  policy: () => (request, response) => {
    const { bytes, headers } = answerTo(request.url);
    response.writeHead(200, headers);
    response.end(bytes);
  },
});
await require("express-gateway")().load(folder).run();

const { user, credential } = require("express-gateway/lib/services");
const credentials = [];
for (let number = 1; number <= Number(process.env.ACCOUNTS); number++) {
  const { id } = await user.insert({ username: `bench-${number}`, firstname: "bench", lastname: "bench" });
  const { keyId, keySecret } = await credential.insertCredential(id, "key-auth");
  credentials.push({ Authorization: `apiKey ${keyId}:${keySecret}` });
}
ready(Number(process.env.PORT), credentials);
