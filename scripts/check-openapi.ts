/** Lints the OpenAPI document as it is served, with the rules of redocly.yaml. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "#app/api/openapi.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "openapi-"));
const file = path.join(folder, "openapi.json");
fs.writeFileSync(file, JSON.stringify(openApiDocument("http://localhost:3000"), null, 2));

const { status } = spawnSync(
  path.join("node_modules", ".bin", "redocly"),
  ["lint", "--config", "redocly.yaml", "--max-problems", "1000", file],
  {
    stdio: "inherit",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  },
);
fs.rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
