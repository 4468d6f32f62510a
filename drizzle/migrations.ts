/** The migrations of this release, as files below `drizzle/migrations`. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type Migration = {
  /** Its file's name: `0052_limit_api_keys`. */
  name: string;
  /** In milliseconds; the order in which migrations are applied, and how the database identifies them. */
  createdAt: number;
  /** SHA-256 of the file. */
  hash: string;
  statements: string[];
  /**
   * Which releases run with the schema that it leaves: those that have the migration created at this time. 0: all, because
   * it only adds to the schema.
   */
  needs: number;
};

const folder = fileURLToPath(new URL("./migrations", import.meta.url));

type Journal = { entries: { idx: number; when: number; tag: string }[] };

/** From the first to the last. @throws Error if a migration names one that does not exist */
export const readMigrations = (): Migration[] => {
  const { entries }: Journal = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, "utf8"));
  return entries.map(({ when, tag }) => {
    const text = readFileSync(`${folder}/${tag}.sql`, "utf8");
    return {
      name: tag,
      createdAt: when,
      hash: createHash("sha256").update(text).digest("hex"),
      statements: text.split("--> statement-breakpoint"),
      needs: needsOf(text, { when, tag }, entries),
    };
  });
};

/**
 * `-- contract: why` marks a migration that takes something away: only releases that have it run with it. With
 * `-- contract since 0053: why`, releases from that migration on do, because they no longer use what goes away.
 */
const marker = /^--[ \t]*contract(?:[ \t]+since[ \t]+(\d{4}))?:[ \t]*\S/im;

const needsOf = (text: string, own: { when: number; tag: string }, entries: Journal["entries"]): number => {
  const found = marker.exec(text);
  if (!found) return 0;
  const [, since] = found;
  if (since === undefined) return own.when;
  const entry = entries.find(({ tag }) => tag.startsWith(`${since}_`));
  if (!entry || entry.when > own.when) throw new Error(`${own.tag}: there is no earlier migration ${since}`);
  return entry.when;
};
