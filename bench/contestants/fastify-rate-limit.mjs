/** fastify with one query for the key and @fastify/rate-limit for each account: in memory, or in Redis with REDIS_URL. */
import rateLimit from "@fastify/rate-limit";
import { fastify } from "fastify";
import { Redis } from "ioredis";
import postgres from "postgres";
import { answerTo, findActiveKey, hourlyLimit, ready } from "./contestant.mjs";

const sql = postgres(process.env.DATABASE_URL, { max: 10 });
const app = fastify();
app.addHook("onRequest", async (request, reply) => {
  request.key = await findActiveKey(sql, request.headers);
  if (!request.key) return reply.code(401).send({ success: false });
});
await app.register(rateLimit, {
  hook: "preHandler",
  max: hourlyLimit,
  timeWindow: "1 hour",
  keyGenerator: (request) => request.key.account_id,
  ...(process.env.REDIS_URL ? { redis: new Redis(process.env.REDIS_URL) } : {}),
});
app.get("/:size", (request, reply) => {
  const { bytes, headers } = answerTo(request.url);
  reply.headers(headers).send(bytes);
});
await app.listen({ host: "127.0.0.1", port: 0 });
ready(app.server.address().port);
