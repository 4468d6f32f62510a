import { Inngest, type Logger } from "inngest";
import type { Log } from "../app/platform/log.server.ts";

/** In `dev`, the local Inngest server is used and signatures are not checked; the configuration refuses it in production. */
export const inngestClient = (config: { signingKey: string; eventKey: string | null; dev: boolean }, log: Log): Inngest =>
  new Inngest({
    id: "shipping-route-data-service",
    isDev: config.dev,
    signingKey: config.signingKey,
    logger: loggerOver(log),
    ...(config.eventKey === null ? {} : { eventKey: config.eventKey }),
  });

/** What the SDK has to say, as lines of our log: it gives an object and a sentence, or the sentence alone. */
const loggerOver = (log: Log): Logger => {
  const at =
    (level: "info" | "warn" | "error") =>
    (...words: unknown[]) => {
      const event = words.find((word) => typeof word === "string") ?? "Inngest's SDK reported";
      const [about] = words;
      const error = typeof about === "object" && about !== null && "err" in about ? about.err : undefined;
      log[level]("Inngest's SDK reported", { message: event }, error);
    };
  return { info: at("info"), warn: at("warn"), error: at("error"), debug: () => {} };
};
