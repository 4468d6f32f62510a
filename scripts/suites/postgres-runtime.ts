/** A PostgreSQL server of any version, as an external one. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { passwordFile, superuser, urlOf } from "../embedded-postgres/connection.ts";
import { lastLineOf, launcherFor, run } from "../embedded-postgres/launcher.ts";
import { ensureRunning, stopServer } from "../embedded-postgres/server-process.ts";
import { ensureDatabase } from "../embedded-postgres/start.ts";

/** @param native the folder with `bin`, `lib` and `share` */
export const startServer = async (native: string, dataDir: string) => {
  const launcher = { ...(await launcherFor(dataDir)), bin: path.join(native, "bin") };
  for (const program of ["initdb", "postgres"]) fs.chmodSync(path.join(launcher.bin, program), 0o755);
  const secret = `${dataDir}.password`;
  fs.writeFileSync(secret, randomBytes(24).toString("hex"), { mode: 0o600 });
  const access = [`--username=${superuser}`, `--pwfile=${secret}`, "--auth=scram-sha-256"];
  const made = run(launcher, "initdb", [`--pgdata=${launcher.dataDir}`, "--encoding=UTF8", "--locale=C", ...access]);
  if (made.status !== 0) throw new Error(lastLineOf(made));
  fs.renameSync(secret, path.join(launcher.dataDir, passwordFile));
  const server = await ensureRunning(launcher, { processes: 4, durable: false, report: () => {} });
  const url = (database = "postgres") => urlOf(server, database);
  await ensureDatabase({ url }, "service");
  return {
    version: /[\d.]+/.exec(lastLineOf(run(launcher, "postgres", ["--version"])))?.[0] ?? "",
    env: { DATABASE_URL: url("service"), TEST_DATABASE_URL: url() },
    stop: async () => {
      await stopServer(server.pid);
      fs.rmSync(launcher.dataDir, { recursive: true, force: true });
    },
  };
};
