/**
 * `npm run catalogue -- …`: keeps the catalogue by command, with the verbs and the audit log of the console. Works on the
 * database of DATABASE_URL, or the embedded one of DATA_DIR, whether the service runs or not.
 */
import os from "node:os";
import { parseArgs } from "node:util";
import { type RecordKind, recordKinds } from "../app/domain/catalogue/record-kinds.ts";
import type { Context } from "../app/domain/context.ts";
import { Refusal } from "../app/domain/errors.ts";
import { validate } from "../app/domain/input.ts";
import { planPriceForm, planPriceWithdrawal } from "../app/domain/operations/plan-price-form.ts";
import { setPlanPrice } from "../app/domain/paid-plans/prices.server.ts";
import {
  changeRecord,
  createRecord,
  restoreRecord,
  retireRecord,
  setBasePrice,
  setExchangeRate,
} from "../app/domain/stock/change-records.server.ts";
import { listRecords } from "../app/domain/stock/list-records.server.ts";
import { setLanePromise, setPeriodPolicy } from "../app/domain/stock/manage-periods.server.ts";
import { markSample, unmarkSample } from "../app/domain/stock/mark-sample.server.ts";
import { lanePromise } from "../app/domain/stock/period-forms.ts";
import { priceFields } from "../app/domain/stock/price-form.ts";
import { codeField, recordFields } from "../app/domain/stock/records.ts";
import { loadReferenceData } from "../app/domain/stock/reference-data.server.ts";
import { releasePrice, setPrice } from "../app/domain/stock/set-price.server.ts";
import { counted } from "../app/domain/wording.ts";
import { log, onServiceDatabase } from "./service-database.ts";

type World = Pick<Context, "db" | "clock">;

/** The kinds by the words of the command line. */
const kinds = {
  region: "region",
  port: "port",
  carrier: "carrier",
  lane: "trade_lane",
  group: "route_group",
  route: "route",
  period: "period",
} as const satisfies Record<string, RecordKind>;
type Word = keyof typeof kinds;
const words = Object.keys(kinds) as Word[];

/** `origin_region_code` is `--origin-region`. */
const optionOf = (field: string): string => field.replace(/_(code|unlocode)$/, "").replaceAll("_", "-");

const optionsIn = (word: Word): string =>
  recordFields[kinds[word]]
    .map(({ name, isOptional }) => (isOptional ? `[--${optionOf(name)} …]` : `--${optionOf(name)} …`))
    .join(" ");

const usage = `npm run catalogue -- load-reference                    loads the reference regions and ports into an empty catalogue
npm run catalogue -- list KIND [--search …] [--retired]
npm run catalogue -- add-KIND CODE --option …          adds a record
npm run catalogue -- change-KIND CODE --option …       changes the given fields
npm run catalogue -- retire-KIND CODE                  takes it, and all that belongs to it, off sale
npm run catalogue -- restore-KIND CODE                 undoes that
npm run catalogue -- set-price LANE --base-price 120.00 --valid-from YYYY-MM-DD
npm run catalogue -- set-exchange-rate EUR --quote USD --rate 1.0931 --as-of YYYY-MM-DD --source ECB
npm run catalogue -- set-plan-price PLAN --monthly-price 49.00   per month, from now; accounts then buy the plan themselves
npm run catalogue -- withdraw-plan-price PLAN          it is sold on request again
npm run catalogue -- freeze-price PERIOD --reason … [--valid-to YYYY-MM-DD]
npm run catalogue -- override-price PERIOD --monthly-price 120.00 --reason … [--valid-from …] [--valid-to …]
npm run catalogue -- release-price PERIOD              gives the price back to the calculation
npm run catalogue -- mark-sample ROUTE                 opens its data to everybody; there is one sample per cargo type
npm run catalogue -- unmark-sample ROUTE
npm run catalogue -- set-period-policy ROUTE --policy quarterly|open_ended
npm run catalogue -- set-data-age LANE [--real-time-minutes …] [--daily-minutes …] [--weekly-minutes …] [--period-freshness …]
                                                       how old data may be; what is left out has the service's limit
npm run catalogue -- open-period ROUTE --starts-on YYYY-MM-DD --freshness …    adds a period named after its first day
npm run catalogue -- close-period CODE --ends-on YYYY-MM-DD

${words.map((word) => `add-${word} CODE ${optionsIn(word)}`).join("\n")}

Lists are written with | between their values, in quotes: --cargo-types "container|ro_ro". Write a negative number as
--lat=-33.86.`;

/** A command line that cannot be understood. */
class Misuse extends Error {}

type Arguments = { code: string | undefined; values: Record<string, string> };

/** Reads a code and the options that are named after these fields. */
const read = (args: string[], fields: readonly string[]): Arguments => {
  const options = Object.fromEntries(fields.map((field) => [optionOf(field), { type: "string" as const }]));
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    if (positionals.length > 1) throw new Misuse(`Too many words: ${positionals.slice(1).join(" ")}`);
    const given = fields.flatMap((field) => {
      const value = values[optionOf(field)];
      return typeof value === "string" ? [[field, value.trim()] as const] : [];
    });
    return { code: positionals[0], values: Object.fromEntries(given) };
  } catch (error) {
    throw error instanceof Misuse ? error : new Misuse(error instanceof Error ? error.message : String(error));
  }
};

const withCode = (args: string[], fields: readonly string[]) => {
  const { code, values } = read(args, fields);
  if (code === undefined) throw new Misuse("The code is missing");
  return { code, values };
};

const by = { machineUser: os.userInfo().username };

const run = async (ctx: World, [command = "", ...args]: string[]): Promise<void> => {
  if (command === "load-reference") {
    const { regions, ports } = await loadReferenceData(ctx, by);
    return log(
      regions === 0
        ? "The reference data is there already."
        : `Loaded ${counted(regions, "region")} and ${counted(ports, "port")}.`,
    );
  }
  if (command === "list") return list(ctx, args);
  if (command === "set-price") {
    const { code, values } = withCode(args, ["base_price", "valid_from"]);
    await setBasePrice(ctx, by, { code, values });
    return log(`The lane ${code} costs ${values.base_price} USD from ${values.valid_from}.`);
  }
  if (command === "set-plan-price") {
    const { code, values } = withCode(args, ["monthly_price"]);
    const { plan, monthly_price: monthlyCents } = validate(planPriceForm, { monthly_price: "", ...values, plan: code });
    await setPlanPrice(ctx, by, { plan, monthlyCents });
    return log(`A month of the ${plan} plan costs ${values.monthly_price} USD from now.`);
  }
  if (command === "withdraw-plan-price") {
    const { plan } = validate(planPriceWithdrawal, { plan: withCode(args, []).code });
    await setPlanPrice(ctx, by, { plan, monthlyCents: null });
    return log(`The price of the ${plan} plan is on request.`);
  }
  if (command === "set-exchange-rate") {
    const { code: base, values } = withCode(args, ["quote", "rate", "as_of", "source"]);
    await setExchangeRate(ctx, by, { quote: "", rate: "", as_of: "", source: "", ...values, base });
    return log(`1 ${base} is ${values.rate} ${values.quote} as of ${values.as_of}.`);
  }
  if (command === "freeze-price" || command === "override-price") {
    const kind = command === "freeze-price" ? "freeze" : "override";
    const fields = priceFields.map(({ name }) => name).filter((name) => name !== "kind");
    const { code, values } = withCode(args, fields);
    const all = { ...Object.fromEntries(fields.map((name) => [name, ""])), ...values, kind };
    const { monthlyCents } = await setPrice(ctx, by, { code, values: all });
    return log(
      `A month of the period ${code} costs ${(monthlyCents / 100).toFixed(2)} USD from ${values.valid_from || "today"}.`,
    );
  }
  if (command === "release-price") {
    const { code } = withCode(args, []);
    await releasePrice(ctx, by, { code });
    return log(`The price of the period ${code} is calculated again.`);
  }
  if (command === "mark-sample") {
    const { code } = withCode(args, []);
    const { replaces } = await markSample(ctx, by, { code });
    return log(`The route ${code} is open to everybody${replaces ? ` in place of ${replaces}` : ""}.`);
  }
  if (command === "unmark-sample") {
    const { code } = withCode(args, []);
    await unmarkSample(ctx, by, { code });
    return log(`The route ${code} is no sample any more.`);
  }
  if (command === "set-period-policy") {
    const { code, values } = withCode(args, ["policy"]);
    await setPeriodPolicy(ctx, by, { code, values });
    return log(`The periods of the route ${code} are ${values.policy} now.`);
  }
  if (command === "set-data-age") {
    const fields = Object.keys(lanePromise.shape);
    const { code, values } = withCode(args, fields);
    const all = { ...Object.fromEntries(fields.map((name) => [name, ""])), ...values };
    await setLanePromise(ctx, by, { code, values: all });
    return log(`The age of data on the lane ${code} is set.`);
  }
  if (command === "open-period") {
    const { code: route_code, values } = withCode(args, fieldsOf("period"));
    return add(ctx, "period", { ...values, route_code, [codeField]: "" });
  }
  if (command === "close-period") {
    const { code, values } = withCode(args, ["ends_on"]);
    if (!values.ends_on) throw new Misuse("--ends-on is missing");
    return change(ctx, "period", code, values);
  }
  return onRecord(ctx, command, args);
};

const fieldsOf = (word: Word): string[] => recordFields[kinds[word]].map(({ name }) => name);

const onRecord = async (ctx: World, command: string, args: string[]): Promise<void> => {
  const [, verb, found] = /^(add|change|retire|restore)-(\w+)$/.exec(command) ?? [];
  const word = words.find((each) => each === found);
  if (word === undefined) throw new Misuse(command === "" ? "A command is missing" : `There is no command ${command}`);
  const { code, values } = withCode(args, verb === "add" || verb === "change" ? fieldsOf(word) : []);
  if (verb === "add") return add(ctx, word, { ...emptyFields(word), ...values, [codeField]: code });
  if (verb === "change") return change(ctx, word, code, values);
  const target = { kind: kinds[word], code };
  const counts = verb === "retire" ? await retireRecord(ctx, by, target) : await restoreRecord(ctx, by, target);
  const along = recordKinds.flatMap((kind) => (counts[kind] ? `${kind.replace("_", " ")}s: ${counts[kind]}` : []));
  const done = verb === "retire" ? "Retired" : "Restored";
  log(`${done} the ${word} ${code}.${along.length > 0 ? ` With it: ${along.join(", ")}.` : ""}`);
};

/** Absent options are empty, as in a form that was not filled in. */
const emptyFields = (word: Word) => Object.fromEntries(fieldsOf(word).map((name) => [name, ""]));

const add = async (ctx: World, word: Word, values: Record<string, string>): Promise<void> => {
  const { code } = await createRecord(ctx, by, { kind: kinds[word], values: { ...emptyFields(word), ...values } });
  log(`Added the ${word} ${code}.`);
};

const change = async (ctx: World, word: Word, code: string, values: Record<string, string>): Promise<void> => {
  const { changed } = await changeRecord(ctx, by, { kind: kinds[word], code, values });
  const fields = changed.map((field) => optionOf(field)).join(", ");
  log(
    changed.length === 0 ? `Nothing has changed at the ${word} ${code}.` : `Changed ${fields} of the ${word} ${code}.`,
  );
};

const list = async (ctx: World, args: string[]): Promise<void> => {
  const { values, positionals } = (() => {
    try {
      return parseArgs({
        args,
        allowPositionals: true,
        options: { search: { type: "string" }, retired: { type: "boolean", default: false } },
      });
    } catch (error) {
      throw new Misuse(error instanceof Error ? error.message : String(error));
    }
  })();
  const word = words.find((each) => each === positionals[0] || `${each}s` === positionals[0]);
  if (word === undefined) throw new Misuse(`list needs one of ${words.join(", ")}`);
  const filter = { kind: kinds[word], q: values.search, state: values.retired ? "retired" : "offered" } as const;
  for (let cursor: string | undefined; ; ) {
    const { rows, nextCursor } = await listRecords(ctx, by, filter, { limit: 100, ...(cursor ? { cursor } : {}) });
    for (const { values: fields } of rows) {
      const shown = Object.entries(fields).filter(([name, value]) => ![codeField, "name"].includes(name) && value);
      const facts = shown.map(([name, value]) => `${optionOf(name)}=${value}`).join(" ");
      log(`${fields[codeField]}  ${fields.name}  ${facts}`);
    }
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
};

const explain = (error: Misuse | Refusal): string => {
  if (error instanceof Misuse) return `${error.message}. See npm run catalogue -- help`;
  if (error.fields.length === 0) return error.message;
  return error.fields
    .map(({ path, message }) => `${path === codeField ? "code" : `--${optionOf(path)}`}: ${message}`)
    .join("\n");
};

const commandLine = process.argv.slice(2);
if (["", "help", "--help", "-h"].includes(commandLine[0] ?? "")) {
  log(usage);
} else {
  await onServiceDatabase(async ({ db, clock }) => {
    try {
      await run({ db, clock }, commandLine);
      return 0;
    } catch (error) {
      if (!(error instanceof Misuse || error instanceof Refusal)) throw error;
      process.stderr.write(`${explain(error)}\n`);
      return error instanceof Misuse ? 2 : 1;
    }
  });
}
