/** Creating, changing, retiring and restoring catalogue records, by operators and by `npm run catalogue`. */

import type { Tx } from "../../platform/db.server.ts";
import type { AuditDetails } from "../accounts/action.ts";
import { recordCatalogueAudit } from "../accounts/audit.server.ts";
import type { CatalogueEditor } from "../accounts/caller.ts";
import { recordExchangeRates } from "../catalogue/exchange-rates.server.ts";
import { importCatalogue, lockCatalogue } from "../catalogue/import.server.ts";
import type { CatalogueSource } from "../catalogue/import-records.ts";
import { setLanePrice } from "../catalogue/lane-prices.server.ts";
import { recordPrices } from "../catalogue/price-history.server.ts";
import type { RecordKind } from "../catalogue/record-kinds.ts";
import * as retirement from "../catalogue/retire.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { validate } from "../input.ts";
import { currency } from "../money.ts";
import * as queries from "./queries.server.ts";
import { sourceOf } from "./record-source.server.ts";
import { codeField, exchangeRateForm, lanePriceForm, type RecordValues, recordFields, recordForms } from "./records.ts";

type World = Pick<Context, "db" | "clock">;

/**
 * Adds a record. The values are text, named as in `recordFields`.
 *
 * @returns its id and its code
 * @throws invalid for each wrong field, a code that is taken, and an unknown or retired record that it refers to
 */
export const createRecord = (
  ctx: World,
  by: CatalogueEditor,
  { kind, values }: { kind: RecordKind; values: RecordValues },
): Promise<{ id: number; code: string }> =>
  inCatalogue(ctx, async (tx) => {
    const input = validate(recordForms[kind], values);
    const first = kind === "trade_lane" ? validate(lanePriceForm, values) : null;
    await checkReferences(tx, kind, { values, before: null });
    if (await queries.findRecord(tx, kind, { code: input.record_code })) {
      throw invalid(codeField, `The code ${input.record_code} is taken. Choose another`);
    }
    const source = await sourceOf({ db: tx, clock: ctx.clock }, kind, input);
    const { code } = source;
    await write(ctx, tx, source);
    const added = await queries.findRecord(tx, kind, { code });
    if (!added) throw new Error(`The ${kind} ${code} was not written`);
    const now = ctx.clock.now();
    await recordCatalogueAudit(tx, by, "catalogue_record.created", now, { kind, code });
    if (first) await setPrice(tx, by, { id: added.id, code, price: first }, now);
    return { id: added.id, code };
  });

/**
 * Changes a record. Fields that are absent stay as they are.
 *
 * @returns the changed fields
 * @throws not_found
 * @throws invalid as `createRecord`
 */
export const changeRecord = (
  ctx: World,
  by: CatalogueEditor,
  { kind, code, values }: { kind: RecordKind; code: string; values: RecordValues },
): Promise<{ changed: string[] }> =>
  inCatalogue(ctx, async (tx) => {
    const before = await findExisting(tx, kind, code);
    const unchangeable = recordFields[kind].filter(({ onlyNew }) => onlyNew).map(({ name }) => name);
    const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !unchangeable.includes(name)));
    const after: RecordValues = { ...before.values, ...kept, [codeField]: before.values[codeField] ?? code };
    const changed = Object.keys(after).filter((name) => (after[name] ?? "") !== (before.values[name] ?? ""));
    if (changed.length === 0) return { changed };
    const input = validate(recordForms[kind], after);
    await checkReferences(tx, kind, { values: after, before: before.values });
    if (kind === "route_group" && changed.includes("cargo_type") && (await queries.hasRoutes(tx, code))) {
      throw invalid("cargo_type", "The group has routes of this cargo type. Add another group for the new type");
    }
    await write(ctx, tx, await sourceOf({ db: tx, clock: ctx.clock }, kind, input));
    const fields = changed.map((name) => `${name} ${before.values[name] || "(empty)"} → ${after[name] || "(empty)"}`);
    const details = { kind, code: input.record_code, fields: fields.join("; ").slice(0, 1000).toWellFormed() };
    await recordCatalogueAudit(tx, by, "catalogue_record.changed", ctx.clock.now(), details);
    return { changed };
  });

/**
 * Takes a record off sale and out of browse, with all that belongs to it. Subscribers keep their access until it ends.
 *
 * @returns how many other records were retired with it, by kind
 * @throws not_found
 * @throws conflict when it is retired already
 */
export const retireRecord = (
  ctx: World,
  by: CatalogueEditor,
  target: { kind: RecordKind; code: string },
): Promise<retirement.RetiredCounts> => move(ctx, by, target, "catalogue_record.retired", retirement.retire);

/**
 * Undoes `retireRecord`, for the record and all that was retired with it.
 *
 * @returns how many other records were restored with it, by kind
 * @throws not_found
 * @throws conflict when it is not retired, or belongs to a retired record
 */
export const restoreRecord = (
  ctx: World,
  by: CatalogueEditor,
  target: { kind: RecordKind; code: string },
): Promise<retirement.RetiredCounts> => move(ctx, by, target, "catalogue_record.restored", retirement.restore);

/**
 * Sets the base price of a trade lane from a day on. Earlier prices stay as the history.
 *
 * @throws not_found
 * @throws invalid for a day in the past
 */
export const setBasePrice = (
  ctx: World,
  by: CatalogueEditor,
  { code, values }: { code: string; values: RecordValues },
): Promise<void> =>
  inCatalogue(ctx, async (tx) => {
    const lane = await findExisting(tx, "trade_lane", code);
    const price = validate(lanePriceForm, values);
    const now = ctx.clock.now();
    const today = dayOf(now);
    if (price.valid_from < today) {
      throw invalid("valid_from", `Past prices cannot be changed. Enter ${today} or a later day`);
    }
    await setPrice(tx, by, { id: lane.id, code: lane.values[codeField] ?? code, price }, now);
  });

/**
 * Sets an exchange rate: one unit of `base` in units of `quote`. Reports and surcharges that are in the catalogue keep
 * the rate that was applied to them.
 *
 * @throws invalid for a day in the future
 */
export const setExchangeRate = (ctx: World, by: CatalogueEditor, values: RecordValues): Promise<void> =>
  inCatalogue(ctx, async (tx) => {
    const { as_of: asOf, ...rate } = validate(exchangeRateForm, values);
    const now = ctx.clock.now();
    if (asOf > dayOf(now)) throw invalid("as_of", `Enter today, ${dayOf(now)}, or an earlier day`);
    await recordExchangeRates(tx, [{ ...rate, asOf }]);
    await recordCatalogueAudit(tx, by, "exchange_rate.set", now, { ...rate, as_of: asOf });
  });

// ── Steps ───────────────────────────────────────────────────────────────────────────────────────────

/** A transaction without concurrent imports and changes. */
export const inCatalogue = <Result>(ctx: World, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  ctx.db.transaction(async (tx) => {
    await lockCatalogue(tx, { now: ctx.clock.now(), source: "operator" });
    return work(tx);
  });

const write = async (ctx: World, tx: Tx, { source }: { source: CatalogueSource }): Promise<void> => {
  await importCatalogue({ db: tx as Context["db"], clock: ctx.clock }, source);
};

/** @throws not_found */
export const findExisting = async (tx: Tx, kind: RecordKind, code: string) => {
  const record = await queries.findRecord(tx, kind, { code });
  if (!record) throw notFound(`${inWords(kind, "capital")} ${code}`);
  return record;
};

const setPrice = async (
  tx: Tx,
  by: CatalogueEditor,
  { id, code, price }: { id: number; code: string; price: { base_price: number; valid_from: string } },
  now: Date,
) => {
  await setLanePrice(tx, id, { validFrom: price.valid_from, basePriceCents: price.base_price }, now);
  const details = { code, amount_cents: price.base_price, currency, valid_from: price.valid_from };
  await recordCatalogueAudit(tx, by, "trade_lane.price_set", now, details);
};

const move = (
  ctx: World,
  by: CatalogueEditor,
  { kind, code }: { kind: RecordKind; code: string },
  action: "catalogue_record.retired" | "catalogue_record.restored",
  work: typeof retirement.retire,
): Promise<retirement.RetiredCounts> =>
  inCatalogue(ctx, async (tx) => {
    const { id, retiredAt, values } = await findExisting(tx, kind, code);
    if (kind === "period" && retiredAt !== null) await refuseOverlap(tx, values);
    const now = ctx.clock.now();
    const counts = await work(tx, { kind, id, retiredAt }, now);
    await recordPrices(tx, now);
    const along: AuditDetails = Object.fromEntries(
      Object.entries(counts).map(([child, count]) => [`${child}s`, count]),
    );
    await recordCatalogueAudit(tx, by, action, now, { kind, code: values[codeField] ?? code, ...along });
    return counts;
  });

/** Another period may have taken its place. */
const refuseOverlap = async (tx: Tx, values: RecordValues): Promise<void> => {
  const overlap = await queries.overlappingPeriod(tx, {
    routeCode: values.route_code ?? "",
    startsOn: values.starts_on ?? "",
    endsOn: values.ends_on || null,
    except: values[codeField] ?? "",
  });
  if (overlap) throw conflict(`The period ${overlap.code} has the same days. Retire or change that one first`);
};

/** What a changed record refers to already may be retired. */
const checkReferences = async (
  tx: Tx,
  kind: RecordKind,
  { values, before }: { values: RecordValues; before: RecordValues | null },
): Promise<void> => {
  for (const { name, refersTo } of recordFields[kind]) {
    const code = values[name];
    if (refersTo === undefined || !code || code === before?.[name]) continue;
    const record = await queries.findRecord(tx, refersTo, { code: refersTo === "port" ? code.toUpperCase() : code });
    if (!record) throw invalid(name, `There is no ${inWords(refersTo)} ${code}. Correct the code, or add it first`);
    if (record.retiredAt !== null) {
      throw invalid(name, `The ${inWords(refersTo)} ${code} is retired. Restore it first, or choose another`);
    }
  }
};

const inWords = (kind: RecordKind, form?: "capital"): string => {
  const words = kind.replace("_", " ");
  return form === "capital" ? words.charAt(0).toUpperCase() + words.slice(1) : words;
};
