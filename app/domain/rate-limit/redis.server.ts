/** A connection to Redis over TCP that runs single commands. */
import { Redis } from "ioredis";

export type RedisConnection = {
  /** Rejects at once while the server is unavailable. Commands are neither queued nor resent. */
  run(command: string[]): Promise<unknown>;
  close(): void;
};

/** For connecting, and for the answer to a command. */
const timeoutMs = 1_000;

/** Resolves once the first attempt to connect has succeeded or failed; after a failure it reconnects automatically. */
export const connectRedis = async (url: string): Promise<RedisConnection> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(50 * times, 1_000),
    // After a failover the old primary refuses writes; reconnecting reaches the new one.
    reconnectOnError: (error) => error.message.startsWith("READONLY"),
    // RESP2, which every server and proxy understands.
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

/** When several addresses fail, Node reports an error with a code and no message. */
const reasonOf = (fault: (Error & { code?: string }) | null): string => {
  const reason = fault?.message || fault?.code;
  return reason ? `: ${reason}` : "";
};
