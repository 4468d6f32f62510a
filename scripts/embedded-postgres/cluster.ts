/** The data folder: made once by initdb. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { passwordFile, superuser } from "./connection.ts";
import { type Launcher, lastLineOf, run } from "./launcher.ts";
import { isAlive } from "./lock-file.ts";
import { codeOf, PostgresTrouble } from "./trouble.ts";

/** For commands that need data, and must not leave an empty database behind. @throws PostgresTrouble */
export const requireCluster = ({ dataDir }: Launcher): void => {
  if (fs.existsSync(path.join(dataDir, "PG_VERSION"))) return;
  throw new PostgresTrouble(
    `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for the service, or start the service once.`,
  );
};

/**
 * Creates the cluster unless it exists. It is created in a temporary folder and then moved, so that an interrupted attempt is not mistaken for a finished one.
 *
 * @throws PostgresTrouble
 */
export const createCluster = (launcher: Launcher): void => {
  const { dataDir, user } = launcher;
  if (fs.existsSync(path.join(dataDir, "PG_VERSION"))) return;
  removeAbandonedAttempts(dataDir);
  const unfinished = `${dataDir}.new-${process.pid}`;
  const secret = `${unfinished}.password`;
  fs.writeFileSync(secret, randomBytes(24).toString("hex"), { mode: 0o600 });
  if (user) fs.chownSync(secret, user.uid, user.gid);
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = [`--username=${superuser}`, `--pwfile=${secret}`, "--auth=scram-sha-256"];
  const made = run(launcher, "initdb", [`--pgdata=${unfinished}`, ...locale, ...access, "--no-instructions"]);
  if (made.status !== 0) {
    fs.rmSync(secret, { force: true });
    fs.rmSync(unfinished, { recursive: true, force: true });
    throw new PostgresTrouble(`The database could not be created in ${dataDir}: ${lastLineOf(made)}`);
  }
  fs.renameSync(secret, path.join(unfinished, passwordFile));
  try {
    fs.renameSync(unfinished, dataDir);
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been faster; its database is as good.
    if (!fs.existsSync(path.join(dataDir, "PG_VERSION"))) {
      throw new PostgresTrouble(
        `The database could not be moved to ${dataDir} (${codeOf(error)}); is the folder empty?`,
      );
    }
  }
};

const removeAbandonedAttempts = (dataDir: string): void => {
  const prefix = `${path.basename(dataDir)}.new-`;
  for (const name of fs.readdirSync(path.dirname(dataDir))) {
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (name.startsWith(prefix) && !isAlive(pid)) {
      fs.rmSync(path.join(path.dirname(dataDir), name), { recursive: true, force: true });
    }
  }
};
