import { recordCatalogueAudit } from "../accounts/audit.server.ts";
import type { CatalogueEditor } from "../accounts/caller.ts";
import { importCatalogue, lockCatalogue } from "../catalogue/import.server.ts";
import type { SourceTable } from "../catalogue/import-records.ts";
import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import * as queries from "./queries.server.ts";

/**
 * Loads the reference regions and ports into a catalogue that has none. The sea network comes with the service.
 * Repeating it changes nothing.
 *
 * @returns how many were added: none if they are there already
 * @throws conflict when the catalogue has other regions or ports
 */
export const loadReferenceData = async (
  ctx: Pick<Context, "db" | "clock">,
  by: CatalogueEditor,
): Promise<{ regions: number; ports: number }> => {
  // Loaded on demand, as it is needed once in a catalogue's life.
  const [{ default: regions }, { default: ports }] = await Promise.all([
    import("../catalogue/reference-data/regions.json"),
    import("../catalogue/reference-data/ports.json"),
  ]);
  return ctx.db.transaction(async (tx) => {
    await lockCatalogue(tx, { now: ctx.clock.now(), source: "operator" });
    const present = await queries.codesOfRegionsAndPorts(tx);
    if (present.size > 0) {
      const all = [...regions.map(({ code }) => code), ...ports.map(({ unlocode }) => unlocode)];
      if (all.every((code) => present.has(code))) return { regions: 0, ports: 0 };
      throw conflict(
        "Reference data can only be loaded into an empty catalogue. Add missing regions and ports one by one",
      );
    }
    await importCatalogue(
      { db: tx as Context["db"], clock: ctx.clock },
      { regions: table("regions.json", regions), ports: table("ports.json", ports) },
    );
    const loaded = { regions: regions.length, ports: ports.length };
    await recordCatalogueAudit(tx, by, "catalogue.reference_data_loaded", ctx.clock.now(), loaded);
    return loaded;
  });
};

const table = (file: string, records: readonly unknown[]): SourceTable => ({
  file,
  rows: records.map((values, index) => ({ line: index + 1, values })),
});
