import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { summariesOf } from "#app/domain/catalogue/browse.server.ts";
import type { RecordKind } from "#app/domain/catalogue/record-kinds.ts";
import type { Context } from "#app/domain/context.ts";
import { changeRecord, restoreRecord, retireRecord, setBasePrice } from "#app/domain/stock/change-records.server.ts";
import { choicesFor, readRecord } from "#app/domain/stock/list-records.server.ts";
import { markSample, unmarkSample } from "#app/domain/stock/mark-sample.server.ts";
import { codeField, recordFields } from "#app/domain/stock/records.ts";
import { readPricing, releasePrice, setPrice } from "#app/domain/stock/set-price.server.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatDay, formatMoney } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { kindOf, kindWords, listOf } from "./kinds.ts";
import { PeriodPrice } from "./period-price.tsx";
import { RecordForm } from "./record-form.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? data.code : "Record"} · Operations · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const kind = kindOf(args.params.kind);
  const id = idOf(args.params.record_id);
  const { values, retiredAt, prices } = await orErrorResponse(readRecord(ctx, caller, { kind, id }));
  return {
    id,
    kind,
    code: values[codeField] ?? "",
    values,
    retiredAt: retiredAt?.toISOString() ?? null,
    prices,
    isSample: kind === "route" && (await summariesOf(ctx, [id])).some((route) => route.isSample),
    pricing: kind === "period" ? await readPricing(ctx, caller, id) : null,
    choices: await choicesFor(ctx, caller, kind),
  };
};

type Visit = {
  ctx: Context;
  caller: Parameters<typeof readRecord>[1];
  params: Record<string, string | undefined>;
};

/** The record of the page's address. */
const target = async ({ ctx, caller, params }: Visit): Promise<{ kind: RecordKind; code: string; page: string }> => {
  const kind = kindOf(params.kind);
  const id = idOf(params.record_id);
  const { values } = await readRecord(ctx, caller, { kind, id });
  return { kind, code: values[codeField] ?? "", page: `${listOf(kind)}/${id}` };
};

const entered = z.record(z.string(), z.string());

export const action = (args: ActionFunctionArgs) =>
  formAction({
    change: operatorForm(entered, async (visit, values) => {
      const { kind, code, page } = await target(visit);
      const { changed } = await changeRecord(visit.ctx, visit.caller, { kind, code, values });
      throw await redirectWithToast(page, { message: changed.length === 0 ? "No changes." : "Saved." });
    }),
    price: operatorForm(entered, async (visit, values) => {
      const { code, page } = await target(visit);
      await setBasePrice(visit.ctx, visit.caller, { code, values });
      throw await redirectWithToast(page, { message: `Base price set from ${values.valid_from}.` });
    }),
    set_price: operatorForm(entered, async (visit, values) => {
      const { code, page } = await target(visit);
      const { monthlyCents } = await setPrice(visit.ctx, visit.caller, { code, values });
      throw await redirectWithToast(page, { message: `Price set to ${formatMoney(monthlyCents)} per month.` });
    }),
    release_price: operatorForm(entered, async (visit) => {
      const { code, page } = await target(visit);
      await releasePrice(visit.ctx, visit.caller, { code });
      throw await redirectWithToast(page, { message: "The price is calculated again." });
    }),
    retire: operatorForm(entered, async (visit) => {
      const { page, ...record } = await target(visit);
      await retireRecord(visit.ctx, visit.caller, record);
      throw await redirectWithToast(page, { message: "Retired." });
    }),
    mark_sample: operatorForm(entered, async (visit) => {
      const { code, page } = await target(visit);
      const { replaces } = await markSample(visit.ctx, visit.caller, { code });
      const message = replaces === null ? "Now a sample." : `Now a sample, in place of ${replaces}.`;
      throw await redirectWithToast(page, { message });
    }),
    unmark_sample: operatorForm(entered, async (visit) => {
      const { code, page } = await target(visit);
      await unmarkSample(visit.ctx, visit.caller, { code });
      throw await redirectWithToast(page, { message: "No longer a sample." });
    }),
    restore: operatorForm(entered, async (visit) => {
      const { page, ...record } = await target(visit);
      await restoreRecord(visit.ctx, visit.caller, record);
      throw await redirectWithToast(page, { message: "Restored." });
    }),
  })(args);

const CatalogueRecord = () => {
  const { id, kind, code, values, retiredAt, choices, pricing, isSample } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const { one, many } = kindWords[kind];
  return (
    <div className="grid gap-6">
      <PageHeader
        title={<span className="break-all">{code}</span>}
        breadcrumbs={[
          { label: "Catalogue", to: "/operations/catalogue" },
          { label: many, to: listOf(kind) },
        ]}
        badge={
          retiredAt !== null ? (
            <Badge>Retired</Badge>
          ) : isSample ? (
            <Badge tone="accent">Sample</Badge>
          ) : (
            <Badge tone="success">On offer</Badge>
          )
        }
        description={retiredAt === null ? values.name : `${values.name}. Retired on ${formatDay(retiredAt)}.`}
        actions={
          <>
            {kind === "period" ? <ButtonLink to={`/operations/periods/${id}`}>Data and closing</ButtonLink> : null}
            {kind === "route" ? <ButtonLink to={`/operations/periods?route=${code}`}>Periods</ButtonLink> : null}
            {kind === "route" && retiredAt === null ? isSample ? <UnmarkSample /> : <MarkSample /> : null}
            {retiredAt === null ? <Retire /> : <Restore />}
          </>
        }
      />
      {problem && buttonIntents.includes(problem.intent) ? <FormError message={problem.message} /> : null}
      <Card title={`Edit ${one}`} description="The code cannot be changed.">
        <RecordForm
          key={JSON.stringify(values)}
          fields={recordFields[kind].filter(({ onlyNew }) => !onlyNew)}
          values={values}
          choices={choices}
          problem={problem}
          intent="change"
          submit="Save"
        />
      </Card>
      {kind === "trade_lane" ? <Prices /> : null}
      {pricing ? <PeriodPrice pricing={pricing} problem={problem} /> : null}
    </div>
  );
};

export default CatalogueRecord;

/** Their forms have no fields: what refuses them is shown at the top. */
const buttonIntents = ["retire", "restore", "mark_sample", "unmark_sample"];

const Retire = () => {
  const { kind, code } = useLoaderData<typeof loader>();
  return (
    <Confirmation id="retire-record" label="Retire" title={`Retire ${code}?`} intent="retire" confirm="Retire record">
      This {kindWords[kind].one} and all that belongs to it leave the catalogue and are off sale at once. Subscribers
      keep their access until they end, and do not renew. You can restore it.
    </Confirmation>
  );
};

const MarkSample = () => {
  const { code } = useLoaderData<typeof loader>();
  return (
    <Confirmation
      id="mark-sample"
      label="Make sample"
      title={`Make ${code} a sample?`}
      intent="mark_sample"
      confirm="Make it a sample"
    >
      Everyone can read its data without a subscription, visitors included. It is taken off sale and replaces the sample
      of the same cargo type.
    </Confirmation>
  );
};

const UnmarkSample = () => {
  const { code } = useLoaderData<typeof loader>();
  return (
    <Confirmation
      id="unmark-sample"
      label="End sample"
      title={`End the sample ${code}?`}
      intent="unmark_sample"
      confirm="End it now"
    >
      Its data immediately requires a subscription again, and it goes back on sale.
    </Confirmation>
  );
};

const Restore = () => (
  <Form method="post" preventScrollReset>
    <SubmitButton name="intent" value="restore" variant="secondary" icon="refresh" pendingLabel="Restoring…">
      Restore
    </SubmitButton>
  </Form>
);

const Prices = () => {
  const { prices } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <>
      <Card
        title="Set base price"
        description="Price per month for weekly data of one route, before popularity. Active subscriptions pay it from their next renewal."
      >
        <RecordForm
          key={prices.length}
          fields={recordFields.trade_lane.filter(({ onlyNew }) => onlyNew)}
          values={{}}
          choices={{}}
          problem={problem}
          intent="price"
          submit="Set price"
        />
      </Card>
      <Card title="Base prices" flush>
        <Table
          caption="Base prices"
          columns={priceColumns}
          rows={prices}
          rowKey={({ validFrom }) => validFrom}
          narrow
        />
      </Card>
    </>
  );
};

const priceColumns: Column<{ validFrom: string; basePriceCents: number }>[] = [
  { key: "from", header: "From", primary: true, cell: ({ validFrom }) => formatDay(validFrom) },
  { key: "price", header: "Base price", align: "end", cell: ({ basePriceCents }) => formatMoney(basePriceCents) },
];
