/** A Redis over TCP, as a place to run single commands. */
import { Redis } from "ioredis";

export type RedisConnection = {
  /** Rejects at once while the server is away: nothing is queued, nothing is sent twice. */
  run(command: string[]): Promise<unknown>;
  close(): void;
};

/** How long connecting, or a server that says nothing, is put up with. */
const patienceMs = 1_000;

/** Resolves when the server has answered or has proved to be away; the connection is then tried again by itself. */
export const connectRedis = async (url: string): Promise<RedisConnection> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
    socketTimeout: patienceMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(50 * times, 1_000),
    // After a failover the old primary refuses to write: connect anew, to the new one.
    reconnectOnError: (error) => error.message.startsWith("READONLY"),
    // The least that servers and proxies understand.
    protocol: 2,
    disableClientInfo: true,
  });
  let fault: Error | null = null;
  redis.on("error", (error: Error) => {
    fault = error;
  });
  redis.on("ready", () => {
    fault = null;
  });
  await redis.connect().catch((error: Error) => {
    fault ??= error;
  });
  return {
    run: async ([name = "", ...args]) => {
      if (redis.status !== "ready" || !redis.stream.writable)
        throw new Error(`Redis is not connected${reasonOf(fault)}`);
      return redis.call(name, ...args);
    },
    close: () => redis.disconnect(),
  };
};

/** Of several addresses that failed, Node reports an error with a code and without a message. */
const reasonOf = (fault: (Error & { code?: string }) | null): string => {
  const reason = fault?.message || fault?.code;
  return reason ? `: ${reason}` : "";
};
