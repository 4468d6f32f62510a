/** The service's own key where the operator has set none: generated once, and kept beside the embedded database. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** @returns 32 bytes in base64, the same at every start */
export const keptSecretsKey = (dataDir: string): string => {
  const file = path.join(dataDir, "secrets-key");
  fs.mkdirSync(dataDir, { recursive: true });
  try {
    fs.writeFileSync(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return fs.readFileSync(file, "utf8").trim();
};
