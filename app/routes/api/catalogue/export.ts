import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/directory.ts";
import { serveFiles } from "#app/api/serve.server.ts";
import { wholeCatalogue } from "#app/domain/exports/catalogue.server.ts";
import { catalogueColumns } from "#app/domain/exports/catalogue-columns.ts";
import { tableCsv } from "#app/domain/exports/table-csv.ts";

export const action = apiRoute(
  serveFiles(contracts.exportCatalogue, async ({ ctx }) => ({
    file: {
      contentType: "text/csv; charset=utf-8; header=present",
      headers: { "Content-Disposition": 'attachment; filename="routes.csv"' },
      requestCost: 1,
      parts: () => tableCsv(catalogueColumns, wholeCatalogue(ctx)),
    },
  })),
);
export { action as loader };
