/**
 * What is in a backup: a gzipped tar file. `manifest.json` comes first, then the rows of each table as `tables/NAME/000001.copy`
 * and so on, in COPY's text format, and last `contents.json`, without which the file is incomplete.
 */
import { z } from "zod";

export const formatVersion = 1;

const table = z.object({
  /** With its schema: `public.accounts`. */
  name: z.string().regex(/^(public|history)\.[a-z_][a-z0-9_]*$/),
  /** All but generated ones. */
  columns: z.array(z.string().regex(/^[a-z_][a-z0-9_]*$/)),
});

/** A partition of the request log that the service has created. */
const partition = z.object({
  name: z.string().regex(/^usage_logs_[a-z0-9_]+$/),
  parent: z.string().regex(/^usage_logs_[a-z0-9_]+$/),
  bound: z.string().regex(/^FOR VALUES FROM \('[0-9 :+.-]+'\) TO \('[0-9 :+.-]+'\)$/),
});

export const manifest = z.object({
  format: z.literal("shipping-route-data-service backup"),
  formatVersion: z.number(),
  createdAt: z.string(),
  /** Of the release that made it. */
  release: z.string(),
  postgresql: z.string(),
  /** The migrations that the schema had, by their time and name. */
  migrations: z.array(z.object({ createdAt: z.number(), name: z.string().nullable() })),
  /** Tells whether a `SECRETS_KEY` is the one with which secrets in this backup are encrypted. Null: not known. */
  secretsKeyId: z.string().nullable(),
  tables: z.array(table),
  partitions: z.array(partition),
});
export type Manifest = z.output<typeof manifest>;
export type Table = z.output<typeof table>;
export type Partition = z.output<typeof partition>;

export const contents = z.object({
  /** `sha256` is that of all rows of the table, as stored in the file. */
  tables: z.array(z.object({ name: z.string(), rows: z.number(), bytes: z.number(), sha256: z.string() })),
  sequences: z.array(
    z.object({
      name: z.string().regex(/^(public|history)\.[a-z_][a-z0-9_]*$/),
      lastValue: z.string().regex(/^-?\d+$/),
      isCalled: z.boolean(),
    }),
  ),
});
export type Contents = z.output<typeof contents>;
export type TableContents = Contents["tables"][number];

/** Where the key is, if the backup has it. */
export const keyEntry = "secrets-key";

/** A failure that the operator can fix; its message says how. */
export class BackupTrouble extends Error {}
