import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useNavigation, useSubmit } from "@remix-run/react";
import { z } from "zod";
import { summariesOf } from "../../domain/catalogue/browse.server.ts";
import { Refusal } from "../../domain/errors.ts";
import { lineDiscounts } from "../../domain/payments/line-discounts.ts";
import { term, terms } from "../../domain/pricing/discounts.ts";
import { customPricingFromRoutes } from "../../domain/pricing/policy.ts";
import { volumeDiscountsInWords, volumeRanges } from "../../domain/pricing/volume-discount.ts";
import { checkout } from "../../domain/subscriptions/checkout.server.ts";
import { listSubscriptions } from "../../domain/subscriptions/list.server.ts";
import { priceOrder } from "../../domain/subscriptions/price.server.ts";
import { chargeInWords } from "../../domain/subscriptions/wording.ts";
import { readBasket, saveBasket } from "../../portal/basket.server.ts";
import { Alert } from "../../portal/components/alert.tsx";
import { Button, ButtonLink } from "../../portal/components/button.tsx";
import { Card } from "../../portal/components/card.tsx";
import { CheckboxField } from "../../portal/components/checkbox-field.tsx";
import { Confirmation } from "../../portal/components/confirmation.tsx";
import { EmptyState } from "../../portal/components/empty-state.tsx";
import { FormError } from "../../portal/components/form-error.tsx";
import { Icon } from "../../portal/components/icon.tsx";
import { PageHeader } from "../../portal/components/page-header.tsx";
import { RouteLine } from "../../portal/components/route-line.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { formAction, memberForm } from "../../portal/form-action.server.ts";
import { formatCount, formatMoney, formatWord } from "../../portal/format.ts";
import { idField } from "../../portal/params.ts";
import { visitOfMember } from "../../portal/session.server.ts";
import { redirectWithToast } from "../../portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "Basket · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const items = await readBasket(args.request);
  const priced = await priceOrder(ctx, caller.account, items).catch((error) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  const refused = priced instanceof Refusal;
  const running = (await listSubscriptions(ctx, caller)).filter(({ status }) => status !== "expired");
  const routes = refused
    ? []
    : await summariesOf(
        ctx,
        priced.lines.map(({ routeId }) => routeId),
      );
  return {
    terms: [...terms],
    complaint: refused ? priced.message : null,
    count: items.length,
    totals: refused
      ? null
      : { listCents: priced.listCents, discountCents: priced.discountCents, totalCents: priced.totalCents },
    volumePercent: refused ? 0 : (priced.lines[0]?.volumeDiscountPercent ?? 0),
    volume: new Set([...running, ...(refused ? [] : priced.lines)].map(({ routeId }) => routeId)).size,
    lines: refused
      ? []
      : priced.lines.map((line) => {
          const route = routes.find(({ id }) => id === line.routeId);
          return {
            ...line,
            routeName: route?.name ?? "",
            routeCode: route?.code ?? "",
            carrier: route?.carrier.name ?? "",
            cargo: route ? formatWord(route.cargoType) : "",
            discounts: lineDiscounts(line),
          };
        }),
  };
};

const lineForm = z.object({ period_id: idField });

export const action = (args: ActionFunctionArgs) =>
  formAction<null>({
    term: memberForm(lineForm.extend({ term }), async (_, input) => {
      const items = await readBasket(args.request);
      const changed = items.map((item) => (item.periodId === input.period_id ? { ...item, term: input.term } : item));
      throw redirect("/basket", { headers: await saveBasket(changed) });
    }),
    remove: memberForm(lineForm, async (_, input) => {
      const items = await readBasket(args.request);
      const kept = items.filter(({ periodId }) => periodId !== input.period_id);
      const message = kept.length === 0 ? "The basket is empty now." : "The route is out of the basket.";
      throw await redirectWithToast("/basket", { message }, { headers: await saveBasket(kept) });
    }),
    empty: memberForm(z.object({}), async () => {
      const message = "The basket is empty now.";
      throw await redirectWithToast("/basket", { message }, { headers: await saveBasket([]) });
    }),
    pay: memberForm(z.object({ auto_renew: z.literal("on").optional() }), async ({ ctx, caller }, input) => {
      const items = await readBasket(args.request);
      const { orderId } = await checkout(ctx, caller, { items, autoRenew: input.auto_renew === "on" });
      // The basket is emptied only after the payment, so that going back does not lose it.
      throw redirect(`/checkout/${orderId}`);
    }),
  })(args);

const Basket = () => {
  const { lines, totals, complaint, count } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Basket"
        description="Several routes in one payment. The more that run together, the less each costs."
        actions={<ButtonLink to="/routes">Add another route</ButtonLink>}
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      {complaint ? (
        <Alert tone="warning" title={complaint} action={<EmptyBasket />}>
          The basket cannot be paid as it is.
        </Alert>
      ) : null}
      {count === 0 ? (
        <Card>
          <EmptyState
            icon="layers"
            title="The basket is empty"
            action={<ButtonLink to="/routes">Find routes</ButtonLink>}
          >
            Choose a term on a route's page and put it here. The more routes run, the less each costs.{" "}
            {volumeDiscountsInWords}
          </EmptyState>
        </Card>
      ) : null}
      {totals && lines.length > 0 ? (
        <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
          <Card title={formatCount(lines.length, "route")} flush>
            <ul className="divide-y divide-line">
              {lines.map((line) => (
                <Line key={line.periodId} line={line} />
              ))}
            </ul>
          </Card>
          <Totals totals={totals} />
        </div>
      ) : null}
    </div>
  );
};

export default Basket;

type BasketLine = ReturnType<typeof useLoaderData<typeof loader>>["lines"][number];

const Line = ({ line }: { line: BasketLine }) => {
  const { terms } = useLoaderData<typeof loader>();
  const submit = useSubmit();
  const { formData } = useNavigation();
  // Optimistic update: the line is hidden at once, and reappears if the request fails.
  const isLeaving = formData?.get("intent") === "remove" && formData.get("period_id") === String(line.periodId);
  return (
    <li
      hidden={isLeaving}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 gap-y-3 px-5 py-4 sm:flex sm:flex-wrap"
    >
      <div className="min-w-0 sm:min-w-44 sm:flex-1">
        <Link to={`/routes/${line.routeId}`} className="font-semibold text-ink hover:text-accent hover:underline">
          {line.routeName}
        </Link>
        <RouteLine {...line} />
        {line.termDiscountPercent > 0 ? (
          <p className="text-success text-xs">
            {line.termDiscountPercent}% off for {formatWord(line.term)}
          </p>
        ) : null}
      </div>
      <Form
        method="post"
        className="flex items-center gap-2"
        onChange={(event) => submit(event.currentTarget, { preventScrollReset: true })}
      >
        <input type="hidden" name="intent" value="term" />
        <input type="hidden" name="period_id" value={line.periodId} />
        <label className="sr-only" htmlFor={`term-${line.periodId}`}>
          Term of {line.routeName}, {line.routeCode}
        </label>
        <span className="relative">
          <select id={`term-${line.periodId}`} name="term" defaultValue={line.term} className="control w-36">
            {terms.map((value) => (
              <option key={value} value={value}>
                {formatWord(value)}
              </option>
            ))}
          </select>
          <Icon
            name="chevron-down"
            className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
          />
        </span>
        <noscript>
          <Button size="small">Change</Button>
        </noscript>
      </Form>
      <p className="text-right tabular-nums max-sm:col-start-2 max-sm:row-start-1 max-sm:self-start sm:min-w-24">
        <span className="block font-semibold text-ink">{formatMoney(line.totalCents)}</span>
        {line.discountCents > 0 ? <s className="text-muted text-xs">{formatMoney(line.listCents)}</s> : null}
      </p>
      <Form method="post">
        <input type="hidden" name="period_id" value={line.periodId} />
        <Button
          size="small"
          variant="quiet"
          icon="trash"
          name="intent"
          value="remove"
          className="-mr-3"
          aria-label={`Remove ${line.routeName}, ${line.routeCode}`}
        >
          Remove
        </Button>
      </Form>
    </li>
  );
};

const Totals = ({ totals }: { totals: { listCents: number; discountCents: number; totalCents: number } }) => {
  const { lines, volumePercent } = useLoaderData<typeof loader>();
  const sumOf = (discountKind: "term" | "volume") =>
    lines
      .flatMap(({ discounts }) => discounts)
      .reduce((sum, { kind, cents }) => (kind === discountKind ? sum + cents : sum), 0);
  const [termCents, volumeCents] = [sumOf("term"), sumOf("volume")];
  return (
    <Card title="Total" footer={`Running routes count. ${volumeDiscountsInWords}`}>
      <div className="grid gap-4">
        <dl className="grid gap-1.5 text-sm tabular-nums">
          <div className="flex justify-between gap-4 text-muted">
            <dt>List price</dt>
            <dd>{formatMoney(totals.listCents)}</dd>
          </div>
          {termCents > 0 ? (
            <div className="flex justify-between gap-4 text-muted">
              <dt>Discounts for longer terms</dt>
              <dd>−{formatMoney(termCents)}</dd>
            </div>
          ) : null}
          {volumeCents > 0 ? (
            <div className="flex justify-between gap-4 text-muted">
              <dt>Volume discount, {volumePercent}%</dt>
              <dd>−{formatMoney(volumeCents)}</dd>
            </div>
          ) : null}
          <div className="flex items-baseline justify-between gap-4 border-line border-t pt-3">
            <dt className="font-medium text-ink">To pay now</dt>
            <dd className="font-semibold text-ink text-xl">{formatMoney(totals.totalCents)}</dd>
          </div>
        </dl>
        <Volume />
        <Form method="post" className="grid gap-4">
          <CheckboxField
            name="auto_renew"
            label="Renew automatically"
            hint={`Each route by itself, ${chargeInWords}.`}
            defaultChecked
          />
          <SubmitButton name="intent" value="pay" pendingLabel="Locking the price…">
            Continue to payment
          </SubmitButton>
        </Form>
      </div>
    </Card>
  );
};

/** Progress to the next volume discount. @spec Terms and discounts */
const Volume = () => {
  const { volume, volumePercent } = useLoaderData<typeof loader>();
  const next = volumeSteps.find(({ routes }) => routes > volume);
  return (
    <div className="grid gap-2 rounded-lg bg-sunken px-3.5 py-3 text-sm">
      <p className="font-medium text-ink">
        {volumePercent > 0 ? `${volumePercent}% volume discount on every route` : "No volume discount yet"}
      </p>
      {next ? (
        <>
          <Meter label="Running routes with this basket" value={volume} max={next.routes} />
          <p className="text-muted">
            {formatCount(next.routes - volume, "more route")}: {next.gain}.
          </p>
        </>
      ) : null}
    </div>
  );
};

const volumeSteps = [
  ...volumeRanges.map(({ fromRoutes, percent }) => ({ routes: fromRoutes, gain: `${percent}% off everything` })),
  { routes: customPricingFromRoutes, gain: "a price of your own, agreed with sales" },
];

/** Keeps its colour, because full is good here, unlike in a bar for a limit. */
const Meter = ({ label, value, max }: { label: string; value: number; max: number }) => (
  <svg className="h-2 w-full" role="img" aria-label={`${label}: ${value} of ${max}`}>
    <rect width="100%" height="8" rx="4" className="fill-surface" />
    <rect width={`${((value / max) * 100).toFixed(1)}%`} height="8" rx="4" className="fill-accent-fill" />
  </svg>
);

const EmptyBasket = () => (
  <Confirmation
    id="empty"
    label="Empty the basket"
    size="small"
    title="Take every route out of the basket?"
    intent="empty"
    confirm="Empty the basket"
  >
    What you chose has to be chosen again.
  </Confirmation>
);
