/** Whether a release and the schema of a database fit together. */
import type { Migration } from "./migrations.ts";

/** A release does not fit the database's schema, or could not change it. The message is for the operator. */
export class SchemaTrouble extends Error {}

/** A migration as the database knows it. `needs` is null if it was applied by a release that did not record it. */
export type Applied = { name: string | null; createdAt: number; needs: number | null };

export type Verdict = {
  /** To be applied, in this order. */
  pending: Migration[];
  /** Applied by a newer release. This one runs with them. */
  newer: Applied[];
};

/** @throws SchemaTrouble if the schema is newer and this release does not run with it */
export const judge = (applied: Applied[], known: Migration[]): Verdict => {
  const own = known.at(-1)?.createdAt ?? 0;
  const reached = Math.max(0, ...applied.map(({ createdAt }) => createdAt));
  const newer = applied.filter(({ createdAt }) => createdAt > own);
  const blocking = newer.filter(({ needs }) => needs === null || needs > own);
  if (blocking.length > 0) {
    const names = blocking.map(({ name, createdAt }) => name ?? `of ${new Date(createdAt).toISOString()}`).join(", ");
    throw new SchemaTrouble(
      `The database was migrated by a newer release, and this one does not run with its schema (${names}). Start the ` +
        "newer release again, or restore a backup from before the upgrade: docs/operating.md, Roll back.",
    );
  }
  return { pending: known.filter(({ createdAt }) => createdAt > reached), newer };
};
