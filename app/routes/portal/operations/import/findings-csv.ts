import type { LoaderFunctionArgs } from "@remix-run/node";
import { findingsCsv } from "#app/domain/imports/findings-csv.server.ts";
import { csvResponse, orNoFile } from "#app/portal/download.server.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";

/** The errors and warnings of an import as a CSV file. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const id = idOf(args.params.import_id);
  const text = await orNoFile(findingsCsv(ctx, caller, { id }));
  return csvResponse(text, `import-${id}-findings.csv`);
};
