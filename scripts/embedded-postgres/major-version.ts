/** PostgreSQL reads only data of its own major version. */
import fs from "node:fs";
import path from "node:path";
import { type Launcher, lastLineOf, run } from "./launcher.ts";
import { PostgresTrouble } from "./trouble.ts";

/** @throws PostgresTrouble with the steps of an upgrade, if the data folder has another major version than the binaries */
export const checkMajorVersion = (launcher: Launcher): void => {
  const found = fs.readFileSync(path.join(launcher.dataDir, "PG_VERSION"), "utf8").trim();
  const ours = /(\d+)/.exec(lastLineOf(run(launcher, "postgres", ["--version"])))?.[1];
  if (ours === undefined || found === ours) return;
  throw new PostgresTrouble(adviceFor(launcher.dataDir, { found, ours }));
};

const adviceFor = (dataDir: string, { found, ours }: { found: string; ours: string }): string => `\
The data in ${dataDir} is that of PostgreSQL ${found}. This release has PostgreSQL ${ours}, which cannot read it. Nothing was changed.
Move the data with a backup:
  1. In a checkout of the former release, with the same DATA_DIR:  npm run backup -- /path/to/backup.tar.gz
  2. Move the old data away:  mv ${dataDir} ${dataDir}-${found}
  3. In this release:  npm run restore -- /path/to/backup.tar.gz
  4. Start the service. Delete ${dataDir}-${found} when all is well.`;
