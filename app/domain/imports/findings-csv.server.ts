import type { CatalogueEditor } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { csv } from "../csv.ts";
import { readImport } from "./imports.server.ts";

/** The errors and warnings that are kept of an import. @throws not_found */
export const findingsCsv = async (
  ctx: Pick<Context, "db" | "clock">,
  by: CatalogueEditor,
  input: { id: number },
): Promise<string> => {
  const { fileName, errors, warnings } = await readImport(ctx, by, input);
  const found = [
    ...errors.map((finding) => ({ severity: "error", ...finding })),
    ...warnings.map((finding) => ({ severity: "warning", ...finding })),
  ];
  return csv(
    ["file", "severity", "row", "column", "code", "message", "value"],
    found.map(({ severity, row, column, code, message, value }) => [
      fileName,
      severity,
      row,
      column,
      code,
      message,
      value,
    ]),
  );
};
