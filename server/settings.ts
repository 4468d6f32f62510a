import fs from "node:fs";
import { type Config, InvalidConfig, readConfig } from "#app/platform/env.server.ts";
import { pathInCheckout } from "./checkout.ts";
import { Trouble } from "./trouble.ts";

/** The settings of the environment and of `.env`; production unless NODE_ENV says otherwise. @throws Trouble */
export const readSettings = (): Config => {
  const file = pathInCheckout(".env");
  if (fs.existsSync(file)) process.loadEnvFile(file);
  if (!process.env.NODE_ENV) process.env.NODE_ENV = "production";
  try {
    return readConfig(process.env);
  } catch (error) {
    throw error instanceof InvalidConfig ? new Trouble(error.message) : error;
  }
};
