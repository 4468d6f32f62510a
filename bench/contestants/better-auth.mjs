/** node:http with `verifyApiKey` of better-auth's API-key plugin, whose rate limit is on. */
import { createServer } from "node:http";
import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import pg from "pg";
import { answerTo, hourlyLimit, serve } from "./contestant.mjs";

const options = {
  baseURL: "http://127.0.0.1",
  secret: "a secret of the benchmark, of which nothing depends",
  database: new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 }),
  emailAndPassword: { enabled: true },
  telemetry: { enabled: false },
  logger: { level: "error" },
  plugins: [apiKey({ rateLimit: { enabled: true, maxRequests: hourlyLimit, timeWindow: 3_600_000 } })],
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
const auth = betterAuth(options);
const { internalAdapter } = await auth.$context;

const credentials = [];
for (let number = 1; number <= Number(process.env.ACCOUNTS); number++) {
  const user = await internalAdapter.createUser({ email: `bench-${number}@example.com`, name: "bench" });
  const { key } = await auth.api.createApiKey({ body: { userId: user.id, name: "bench" } });
  credentials.push({ "X-API-Key": key });
}

serve(
  createServer(async (request, response) => {
    const { valid } = await auth.api.verifyApiKey({ body: { key: request.headers["x-api-key"] } });
    const { bytes, headers } = answerTo(request.url);
    response.writeHead(valid ? 200 : 401, headers);
    response.end(bytes);
  }),
  credentials,
);
