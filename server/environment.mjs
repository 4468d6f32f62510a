/** The environment variables, before anything reads them. Plain JavaScript: it runs before tsx is registered. */
import fs from "node:fs";
import { fileURLToPath } from "node:url";

const settings = fileURLToPath(new URL("../.env", import.meta.url));

/** Adds those of `.env`. Packages choose their production code by NODE_ENV: production, unless it says otherwise. */
export const completeEnvironment = () => {
  if (fs.existsSync(settings)) process.loadEnvFile(settings);
  if (!process.env.NODE_ENV) process.env.NODE_ENV = "production";
};
