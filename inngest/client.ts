import { Inngest, type Logger } from "inngest";
import type { Config } from "../app/platform/env.server.ts";
import type { Log } from "../app/platform/log.server.ts";

/** `dev` uses the local Inngest server without signature checks; the configuration refuses it in production. */
export const inngestClient = (config: NonNullable<Config["inngest"]>, log: Log): Inngest =>
  new Inngest({
    id: "shipping-route-data-service",
    isDev: config.dev,
    signingKey: config.signingKey,
    logger: loggerOver(log),
    ...(config.eventKey === null ? {} : { eventKey: config.eventKey }),
    ...(config.baseUrl === null ? {} : { baseUrl: config.baseUrl }),
  });

/**
 * Writes the SDK's messages to our log; it passes an object and a message, or the message alone. Its errors are calls that it
 * refused, which anybody can make. A job that fails is logged where it runs.
 */
const loggerOver = (log: Log): Logger => {
  const at =
    (write: Log["info"]) =>
    (...words: unknown[]) => {
      const sentence = words.find((word) => typeof word === "string");
      write(sentence ?? "Inngest's SDK reported", { by: "inngest", reason: reasonIn(words[0]) });
    };
  return { info: at(log.info), warn: at(log.warn), error: at(log.warn), debug: () => {} };
};

const reasonIn = (about: unknown): string | undefined =>
  typeof about === "object" && about !== null && "err" in about && about.err instanceof Error
    ? about.err.message
    : undefined;
