/**
 * The part of Upstash's REST API that `@upstash/redis` uses, in front of any Redis: a command, a pipeline or a
 * transaction as JSON, a bearer token, and replies in base64 on request.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { Redis } from "ioredis";

export type RedisRest = {
  url: string;
  token: string;
  /** HTTP requests answered so far. */
  requests(): number;
  stop(): Promise<void>;
};

export const startRedisRest = async (redisUrl: string, token = "rest-token"): Promise<RedisRest> => {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: () => 50,
  });
  redis.on("error", () => {}); // The responses report it.
  await redis.connect();

  let requests = 0;
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(redis, token, request);
    requests += 1;
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  return {
    url: await listening(server),
    token,
    requests: () => requests,
    stop: async () => {
      redis.disconnect();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

type Answer = { status: number; body: unknown };

const answer = async (redis: Redis, token: string, request: IncomingMessage): Promise<Answer> => {
  if (request.headers.authorization !== `Bearer ${token}`) return { status: 401, body: { error: "Unauthorized" } };
  const encode = request.headers["upstash-encoding"] === "base64" ? inBase64 : (value: unknown) => value;
  const run = ([name, ...args]: Command) => redis.call(String(name), ...args.map(String)).then(encode);
  try {
    const sent = JSON.parse(await textOf(request));
    switch (request.url) {
      case "/":
        return { status: 200, body: { result: await run(sent) } };
      case "/pipeline":
        return { status: 200, body: await Promise.all(sent.map((command: Command) => settled(run(command)))) };
      case "/multi-exec": {
        const [, ...replies] = await Promise.all([["multi"], ...sent, ["exec"]].map(run));
        const results = replies.at(-1);
        return { status: 200, body: Array.isArray(results) ? results.map((result) => ({ result })) : [] };
      }
      default:
        return { status: 404, body: { error: "No such path" } };
    }
  } catch (error) {
    return { status: 400, body: failure(error) };
  }
};

type Command = [unknown, ...unknown[]];

const settled = (reply: Promise<unknown>) => reply.then((result) => ({ result }), failure);

const failure = (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) });

const inBase64 = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inBase64);
  return typeof value === "string" && value !== "OK" ? Buffer.from(value).toString("base64") : value;
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
};

const listening = (server: Server): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address) resolve(`http://127.0.0.1:${address.port}`);
      else reject(new Error("No port"));
    });
  });
