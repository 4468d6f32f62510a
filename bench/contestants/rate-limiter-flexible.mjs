/** node:http with one query for the key and rate-limiter-flexible for each account, in PostgreSQL. */
import { createServer } from "node:http";
import pg from "pg";
import postgres from "postgres";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { answerTo, findActiveKey, hourlyLimit, serve } from "./contestant.mjs";

const sql = postgres(process.env.DATABASE_URL, { max: 10 });
const limiter = await new Promise((resolve, reject) => {
  const storeClient = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const settings = { storeClient, tableName: "rate_limiter_flexible", points: hourlyLimit, duration: 3600 };
  const limiter = new RateLimiterPostgres(settings, (error) => (error ? reject(error) : resolve(limiter)));
});

/** @type {(request: import("node:http").IncomingMessage) => Promise<number>} */
const statusOf = async ({ headers }) => {
  const key = await findActiveKey(sql, headers);
  if (!key) return 401;
  return limiter.consume(key.account_id).then(
    () => 200,
    () => 429,
  );
};

serve(
  createServer(async (request, response) => {
    const { bytes, headers } = answerTo(request.url);
    response.writeHead(await statusOf(request), headers);
    response.end(bytes);
  }),
);
