import type { LoaderFunctionArgs } from "@remix-run/node";
import { getStatement } from "#app/domain/payments/statements.server.ts";
import { visitForFile } from "#app/portal/download.server.ts";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { type Member, visitOfMember } from "#app/portal/session.server.ts";

/** @throws 404 unless it is a month that has begun */
const readStatement = async ({ ctx, caller }: Member, params: LoaderFunctionArgs["params"]) =>
  orErrorResponse(getStatement(ctx, caller, { month: monthOf(params) }));

/** For the page. */
export const openStatement = async (args: LoaderFunctionArgs) => {
  const member = await visitOfMember(args);
  return { ...member, statement: await readStatement(member, args.params) };
};

/** For its files. Visitors sign in first and then get the page. */
export const openStatementFile = async (args: LoaderFunctionArgs) => {
  const member = await visitForFile(args, `/billing/statements/${monthOf(args.params)}`);
  return { ...member, statement: await readStatement(member, args.params) };
};

const monthOf = ({ month = "" }: LoaderFunctionArgs["params"]): string => {
  if (!/^[12]\d{3}-(0[1-9]|1[0-2])$/.test(month)) throw new Response("Not found", { status: 404 });
  return month;
};
