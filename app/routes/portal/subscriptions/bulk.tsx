import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useSubmit } from "@remix-run/react";
import { z } from "zod";
import { lastDayOf } from "#app/domain/dates.ts";
import { term, terms } from "#app/domain/pricing/discounts.ts";
import { renewalCapInWords } from "#app/domain/pricing/renewal-price.ts";
import {
  cancelSelection,
  type SelectionResult,
  setAutoRenewOfSelection,
} from "#app/domain/subscriptions/manage.server.ts";
import { renewSelection } from "#app/domain/subscriptions/renew-selection.server.ts";
import { chargeDaysInWords } from "#app/domain/subscriptions/wording.ts";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { RouteLine } from "#app/portal/components/route-line.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatDay, formatMoney, formatWord } from "#app/portal/format.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { type BulkAct, type Effect, idsOf, previewBulk, readBulk } from "./bulk-preview.server.ts";
import { listParams } from "./select.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? wording[data.act].title : "Subscriptions"} · Shipping Route Data Service` },
];

/** What an act will do to each selected subscription. The selection is in the URL, so the page works without scripts. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const search = new URL(args.request.url).searchParams;
  if (search.get("act") === "download") throw redirect(`/download?${onlyIds(search)}`);
  const asked = readBulk(search);
  const lines = await orErrorResponse(previewBulk(ctx, caller, asked));
  const factsOf = await routeFacts(
    ctx,
    lines.map(({ routeId }) => routeId),
  );
  const shown = lines.map((line) => ({ ...line, ...factsOf(line.routeId) }));
  return {
    act: asked.act,
    term: asked.term ?? null,
    terms: [...terms],
    possible: shown.flatMap(({ effect, ...line }) => (effect === null ? [] : [{ ...line, effect }])),
    refused: shown.filter(({ effect }) => effect === null),
    back: backOf(search, asked.ids),
    renewalCap: renewalCapInWords(ctx.settings.renewalCapPercent),
  };
};

/** The list offers the download among its acts. It changes nothing, so that its page needs no confirmation. */
const onlyIds = (search: URLSearchParams) => new URLSearchParams(search.getAll("id").map((id) => ["id", id]));

/** The list with the filter and the selection that it had. */
const backOf = (search: URLSearchParams, ids: readonly number[]): string => {
  const filter = [...search].filter(([name, value]) => [...listParams, "act"].includes(name) && value !== "");
  const chosen = ids.map((id) => ["id", String(id)]);
  return `/subscriptions?${new URLSearchParams([...filter, ...chosen])}`;
};

const selection = z.object({ ids: idsOf });

export const action = (args: ActionFunctionArgs) =>
  formAction<null>({
    renew: memberForm(selection.extend({ term: term.or(z.literal("")) }), async ({ ctx, caller }, { ids, term }) => {
      const { orderId } = await orErrorResponse(renewSelection(ctx, caller, { ids, term: term || undefined }));
      throw redirect(`/checkout/${orderId}`);
    }),
    cancel: memberForm(selection, async ({ ctx, caller }, { ids }) => {
      throw await withResult(await orErrorResponse(cancelSelection(ctx, caller, { ids })), "cancelled");
    }),
    auto_renew_on: memberForm(selection, async ({ ctx, caller }, { ids }) => {
      const results = await orErrorResponse(setAutoRenewOfSelection(ctx, caller, { ids, autoRenew: true }));
      throw await withResult(results, "set to renew automatically");
    }),
    auto_renew_off: memberForm(selection, async ({ ctx, caller }, { ids }) => {
      const results = await orErrorResponse(setAutoRenewOfSelection(ctx, caller, { ids, autoRenew: false }));
      throw await withResult(results, "set to end without renewal");
    }),
  } satisfies Record<BulkAct, unknown>)(args);

/** What has changed since the page was shown is named, as only those that were possible then are sent. */
const withResult = (results: readonly SelectionResult[], done: string): Promise<Response> => {
  const left = results.flatMap(({ subscription, reason }) =>
    reason === null ? [] : [`${subscription.routeName}: ${reason}.`],
  );
  const changed = `${formatCount(results.length - left.length, "subscription")} ${done}.`;
  const unchanged = left.length > 3 ? [`${left.length} had changed in the meantime and stay as they are.`] : left;
  return redirectWithToast("/subscriptions", { message: [changed, ...unchanged].join(" ") });
};

const wording = {
  renew: { title: "Renew subscriptions", button: "Continue to payment", pending: "Locking the prices…" },
  cancel: { title: "Cancel subscriptions", button: "Cancel", pending: "Cancelling…" },
  auto_renew_on: { title: "Turn auto-renewal on", button: "Turn on", pending: "Saving…" },
  auto_renew_off: { title: "Turn auto-renewal off", button: "Turn off", pending: "Saving…" },
} as const satisfies Record<BulkAct, { title: string; button: string; pending: string }>;

const BulkPage = () => {
  const { act, possible, refused, back } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Subscriptions", to: back }]}
        title={wording[act].title}
        description="Check what happens, then confirm."
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      {possible.length + refused.length === 0 ? (
        <Card>
          <EmptyState icon="layers" title="No subscriptions selected" action={<Back label="Select subscriptions" />}>
            Select subscriptions in the list, then choose what to do with them.
          </EmptyState>
        </Card>
      ) : null}
      {act === "renew" && possible.length > 0 ? <TermChoice /> : null}
      {possible.length > 0 ? <Possible /> : null}
      {refused.length > 0 ? (
        <Card title="Not possible" description="These subscriptions stay as they are." flush>
          <Table
            caption="Subscriptions that stay as they are"
            columns={[routeColumn, reasonColumn]}
            rows={refused}
            rowKey={({ id }) => id}
          />
        </Card>
      ) : null}
      {possible.length === 0 && refused.length > 0 ? (
        <div>
          <Back label="Back to the list" />
        </div>
      ) : null}
    </div>
  );
};

export default BulkPage;

type Data = ReturnType<typeof useLoaderData<typeof loader>>;
type PossibleRow = Data["possible"][number];
type RefusedRow = Data["refused"][number];

const Back = ({ label }: { label: string }) => {
  const { back } = useLoaderData<typeof loader>();
  return <ButtonLink to={back}>{label}</ButtonLink>;
};

const Possible = () => {
  const { act, possible, term, renewalCap } = useLoaderData<typeof loader>();
  const totalCents = possible.reduce((sum, { effect }) => sum + (effect.amountCents ?? 0), 0);
  const count = formatCount(possible.length, "subscription");
  const { button, pending } = wording[act];
  return (
    <Card
      title={count}
      description={notes[act]}
      flush
      footer={
        <div className="grid gap-3">
          {act === "renew" ? (
            <>
              <p className="flex items-baseline justify-between gap-4">
                <span className="font-medium">Total, in one payment</span>
                <span className="font-semibold text-ink text-xl tabular-nums">{formatMoney(totalCents)}</span>
              </p>
              <p>{renewalCap}</p>
            </>
          ) : null}
          <Form method="post" className="flex flex-wrap justify-end gap-2.5">
            <input type="hidden" name="ids" value={possible.map(({ id }) => id).join(",")} />
            {act === "renew" ? <input type="hidden" name="term" value={term ?? ""} /> : null}
            <Back label="Back" />
            <SubmitButton
              name="intent"
              value={act}
              variant={act === "cancel" ? "danger" : "primary"}
              pendingLabel={pending}
            >
              {act === "renew" ? button : `${button} ${act === "cancel" ? count : `for ${count}`}`}
            </SubmitButton>
          </Form>
        </div>
      }
    >
      <Table
        caption={`${wording[act].title}: what happens to each`}
        columns={act === "renew" ? [routeColumn, effectColumn, priceColumn] : [routeColumn, effectColumn]}
        rows={possible}
        rowKey={({ id }) => id}
      />
    </Card>
  );
};

const notes = {
  renew:
    "Each new term starts when the current one ends, or today if it has ended. Auto-renewal keeps its setting, and stays off for cancelled subscriptions.",
  cancel: "You keep access until the last day that you paid for. We charge nothing more. Payments are not refunded.",
  auto_renew_on: `We charge the saved card ${chargeDaysInWords} each term ends.`,
  auto_renew_off: "You keep access until the last day that you paid for, unless you renew before.",
} as const satisfies Record<BulkAct, string>;

/** A GET form, so that the prices of a term can be seen before anything is ordered. */
const TermChoice = () => {
  const { term, terms, back } = useLoaderData<typeof loader>();
  const submit = useSubmit();
  const selection = [...new URLSearchParams(back.split("?")[1])];
  return (
    <Form
      method="get"
      key={term}
      className="flex flex-wrap items-end gap-3"
      onChange={(event) => submit(event.currentTarget, { preventScrollReset: true })}
    >
      {selection.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <div className="w-full max-w-xs">
        <SelectField
          name="term"
          label="Renew for"
          defaultValue={term ?? ""}
          options={[
            { value: "", label: "Each subscription's renewal term" },
            ...terms.map((value) => ({ value, label: formatWord(value) })),
          ]}
        />
      </div>
      <noscript>
        <Button>Show prices</Button>
      </noscript>
    </Form>
  );
};

type Named = Pick<PossibleRow, "routeName" | "routeCode" | "carrier" | "cargo">;

const routeColumn = {
  key: "route",
  header: "Route",
  primary: true,
  cell: (row: Named) => (
    <span className="grid gap-0.5">
      {row.routeName}
      <RouteLine {...row} />
    </span>
  ),
} satisfies Column<Named>;

const effectColumn: Column<PossibleRow> = {
  key: "effect",
  header: "What happens",
  cell: ({ effect }) => (
    <span className="grid">
      {effectInWords(effect).map((line, index) => (
        <span key={line} className={index === 0 ? "" : "text-muted text-xs"}>
          {line}
        </span>
      ))}
    </span>
  ),
};

const priceColumn: Column<PossibleRow> = {
  key: "price",
  header: "Price",
  align: "end",
  cell: ({ effect }) => (effect.amountCents === undefined ? null : formatMoney(effect.amountCents)),
};

const reasonColumn: Column<RefusedRow> = { key: "reason", header: "Why", cell: ({ reason }) => reason };

const effectInWords = (effect: Effect): string[] => {
  switch (effect.kind) {
    case "renewed":
      return [
        `Last day ${formatDay(lastDayOf(effect.until))}`,
        `${formatWord(effect.term)}, from ${formatDay(effect.from)}`,
      ];
    case "ends":
      return [
        `Last day ${formatDay(lastDayOf(effect.on))}`,
        ...(effect.spared
          ? [`No charge of ${formatMoney(effect.spared.amountCents)} on ${formatDay(effect.spared.date)}`]
          : []),
      ];
    case "renews":
      return effect.charge
        ? [`${formatMoney(effect.charge.amountCents)} on ${formatDay(effect.charge.date)}`, formatWord(effect.term)]
        : ["No charge until you choose a card for renewals"];
  }
};
