import { type Config, InvalidConfig, readConfig } from "#app/platform/env.server.ts";
import { completeEnvironment } from "./environment.mjs";
import { Trouble } from "./trouble.ts";

/** The settings of the environment and of `.env`; production unless NODE_ENV says otherwise. @throws Trouble */
export const readSettings = (): Config => {
  completeEnvironment();
  try {
    return readConfig(process.env);
  } catch (error) {
    throw error instanceof InvalidConfig ? new Trouble(error.message) : error;
  }
};
