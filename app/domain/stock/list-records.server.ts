import { z } from "zod";
import type { CatalogueEditor, OperatorCaller } from "../accounts/caller.ts";
import { latestExchangeRates } from "../catalogue/exchange-rates.server.ts";
import type { ExchangeRate } from "../catalogue/exchange-rates.ts";
import { type LanePrice, lanePrices } from "../catalogue/lane-prices.server.ts";
import type { RecordKind } from "../catalogue/record-kinds.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import * as queries from "./queries.server.ts";
import type { RecordFilter } from "./record-filter.ts";
import { codeField, recordFields } from "./records.ts";

export type { StockRecord } from "./queries.server.ts";

type World = Pick<Context, "db">;

/** By code. @throws invalid for a cursor of another list */
export const listRecords = async (
  ctx: World,
  _by: CatalogueEditor,
  { kind, ...filter }: RecordFilter & { kind: RecordKind },
  page: PageRequest,
): Promise<Page<queries.StockRecord>> => {
  const [after] = recordCursor.read(page.cursor) ?? [null];
  const found = await queries.searchRecords(ctx.db, kind, filter, { limit: page.limit + 1, after });
  return pageOf(found, page.limit, ({ values }) => recordCursor.write([values[codeField] ?? ""]));
};

const recordCursor = cursorOf(z.tuple([z.string().max(80)]));

export type RecordCount = { kind: RecordKind; offered: number; retired: number };

/** How many records of each kind there are. */
export const countRecords = (ctx: World, _operator: OperatorCaller): Promise<RecordCount[]> =>
  queries.countRecords(ctx.db);

/** A record, and the prices of a trade lane, the latest first. @throws not_found */
export const readRecord = async (
  ctx: World,
  _operator: OperatorCaller,
  { kind, id }: { kind: RecordKind; id: number },
): Promise<queries.StockRecord & { prices: LanePrice[] }> => {
  const record = await queries.findRecord(ctx.db, kind, { id });
  if (!record) throw notFound("Record");
  return { ...record, prices: kind === "trade_lane" ? await lanePrices(ctx.db, id) : [] };
};

/** How many exchange rates the console shows. */
const exchangeRatesShown = 100;

/** The latest exchange rates, newest first. */
export const listExchangeRates = (ctx: World, _operator: OperatorCaller): Promise<ExchangeRate[]> =>
  latestExchangeRates(ctx.db, exchangeRatesShown);

export type Choice = { code: string; name: string };

/** Above this many records, a form asks for the code instead of offering a list. */
const choicesShown = 500;

/** What each field of a form can refer to. Null: too many to list. */
export const choicesFor = async (
  ctx: World,
  _operator: OperatorCaller,
  kind: RecordKind,
): Promise<Record<string, Choice[] | null>> => {
  const references = recordFields[kind].filter(({ refersTo }) => refersTo !== undefined);
  const entries = references.map(async ({ name, refersTo }) => {
    const choices = refersTo ? await queries.listChoices(ctx.db, refersTo, choicesShown + 1) : [];
    return [name, choices.length > choicesShown ? null : choices] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
};
