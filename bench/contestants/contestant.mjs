/**
 * What the contestants share: the bodies they send, the key query, and the message that tells the benchmark where they
 * listen. Plain JavaScript, so that no loader runs in the processes that are measured.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const read = (name) => {
  const bytes = readFileSync(process.env[name]);
  return { bytes, headers: { "Content-Type": "application/json; charset=utf-8", "Content-Length": bytes.byteLength } };
};
const small = read("SMALL_BODY");
const large = read("LARGE_BODY");

/** The same bytes as our answer: `/small` or `/large`. */
export const answerTo = (url) => (url === "/small" ? small : large);

/** The limit of our enterprise plan, far above what one account sends here. */
export const hourlyLimit = 25_000;

/** @param sql of the package `postgres`, which prepares the statement once for each connection */
export const findActiveKey = async (sql, { "x-api-key": secret, "x-username": username }) => {
  if (!secret) return null;
  const hash = createHash("sha256").update(secret).digest();
  const [key] = await sql`select account_id, "user" from api_keys where secret_hash = ${hash} and status = 'active'`;
  return key?.user === username ? key : null;
};

/** @param credentials the headers of each account, if not our own `X-API-Key` and `X-Username` */
export const ready = (port, credentials) => process.send({ port, credentials });

/** Listens with node:http on a free port. */
export const serve = (server, credentials) =>
  server.listen({ host: "127.0.0.1", port: 0 }, () => ready(server.address().port, credentials));

process.on("SIGTERM", () => process.exit(0));
process.on("disconnect", () => process.exit(0));
