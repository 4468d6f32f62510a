import type { LoaderFunctionArgs } from "@remix-run/node";
import { statementCsv } from "#app/domain/payments/statement-csv.ts";
import { csvResponse } from "#app/portal/download.server.ts";
import { openStatementFile } from "./read-statement.server.ts";

export const loader = async (args: LoaderFunctionArgs) => {
  const { statement } = await openStatementFile(args);
  return csvResponse(statementCsv(statement), `statement-${statement.month}.csv`);
};
