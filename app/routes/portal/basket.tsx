import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { z } from "zod";
import { summariesOf } from "../../domain/catalogue/browse.server.ts";
import { lineDiscounts } from "../../domain/payments/line-discounts.ts";
import { term, terms } from "../../domain/pricing/discounts.ts";
import { customPricingFromRoutes } from "../../domain/pricing/policy.ts";
import { customPricingInWords, volumeDiscountsInWords, volumeRanges } from "../../domain/pricing/volume-discount.ts";
import { checkout } from "../../domain/subscriptions/checkout.server.ts";
import { priceBasket } from "../../domain/subscriptions/price.server.ts";
import { chargeInWords } from "../../domain/subscriptions/wording.ts";
import { type Basket as Contents, readBasket, saveBasket } from "../../portal/basket.server.ts";
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
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { formatCount, formatMoney, formatWord } from "../../portal/format.ts";
import { idField } from "../../portal/params.ts";
import { toRegistration, visit } from "../../portal/session.server.ts";
import { useSubmitInTurn } from "../../portal/submit-in-turn.ts";
import { redirectWithToast } from "../../portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "Basket · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const { items, autoRenew } = await readBasket(args.request);
  const { quote, needsQuote, routes, unavailable, taxCents } = await priceBasket(ctx, caller?.account ?? null, items);
  const summaries = await summariesOf(
    ctx,
    [...quote.lines, ...unavailable].flatMap(({ routeId }) => routeId ?? []),
  );
  const named = (routeId: number | null) => {
    const route = summaries.find(({ id }) => id === routeId);
    return {
      routeName: route?.name ?? "A route that no longer exists",
      routeCode: route?.code ?? "",
      carrier: route?.carrier.name ?? "",
      cargo: route ? formatWord(route.cargoType) : "",
    };
  };
  return {
    terms: [...terms],
    signedIn: caller !== null,
    autoRenew,
    count: items.length,
    needsQuote,
    totals: {
      listCents: quote.listCents,
      // Quotes are made before tax.
      taxCents: needsQuote ? 0 : taxCents,
      amountCents: needsQuote ? quote.totalCents : quote.totalCents + taxCents,
    },
    volumePercent: quote.lines[0]?.volumeDiscountPercent ?? 0,
    volume: routes,
    lines: quote.lines.map((line) => ({ ...line, ...named(line.routeId), discounts: lineDiscounts(line) })),
    unavailable: unavailable.map((item) => ({ ...item, ...named(item.routeId) })),
  };
};

const emptied: Contents = { items: [], autoRenew: true };

const lineForm = z.object({ period_id: idField });

export const action = (args: ActionFunctionArgs) =>
  formAction<null>({
    term: openForm(lineForm.extend({ term }), async (_, input) => {
      const basket = await readBasket(args.request);
      const items = basket.items.map((item) =>
        item.periodId === input.period_id ? { ...item, term: input.term } : item,
      );
      throw redirect("/basket", { headers: await saveBasket({ ...basket, items }) });
    }),
    remove: openForm(lineForm, async (_, input) => {
      const basket = await readBasket(args.request);
      const items = basket.items.filter(({ periodId }) => periodId !== input.period_id);
      const message = items.length === 0 ? "Your basket is empty." : "Route removed from the basket.";
      throw await redirectWithToast("/basket", { message }, { headers: await saveBasket({ ...basket, items }) });
    }),
    empty: openForm(z.object({}), async () => {
      const message = "Your basket is empty.";
      throw await redirectWithToast("/basket", { message }, { headers: await saveBasket(emptied) });
    }),
    pay: openForm(z.object({ auto_renew: z.literal("on").optional() }), async ({ ctx, caller }, input) => {
      const basket = { ...(await readBasket(args.request)), autoRenew: input.auto_renew === "on" };
      const headers = await saveBasket(basket);
      if (!caller) throw toRegistration("/basket", headers);
      const { orderId } = await checkout(ctx, caller, basket);
      // The basket is emptied only after the payment, so that going back does not lose it.
      throw redirect(`/checkout/${orderId}`, { headers });
    }),
  })(args);

const Basket = () => {
  const { lines, totals, unavailable, count } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <div className="grid gap-6" {...useSubmitInTurn()}>
      <PageHeader
        title="Basket"
        description="Pay for several routes at once. The more routes you subscribe to, the larger your volume discount."
        actions={count > 0 ? <ButtonLink to="/routes">Add another route</ButtonLink> : null}
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      {unavailable.length > 0 ? (
        <Alert
          tone="warning"
          title={`${formatCount(unavailable.length, "route is", "routes are")} no longer on sale`}
          action={<EmptyBasket />}
        >
          Remove them to continue.
        </Alert>
      ) : null}
      {count === 0 ? (
        <Card>
          <EmptyState
            icon="layers"
            title="Your basket is empty"
            action={<ButtonLink to="/routes">Find routes</ButtonLink>}
          >
            Choose a term on a route's page, then add the route to your basket. {volumeDiscountsInWords}
          </EmptyState>
        </Card>
      ) : null}
      {count > 0 ? (
        <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
          <Card title={formatCount(count, "route")} flush>
            <ul className="divide-y divide-line">
              {unavailable.map((item) => (
                <UnavailableLine key={item.periodId} line={item} />
              ))}
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

const UnavailableLine = ({
  line,
}: {
  line: ReturnType<typeof useLoaderData<typeof loader>>["unavailable"][number];
}) => (
  <li className="flex flex-wrap items-center gap-x-5 gap-y-3 px-5 py-4">
    <div className="min-w-0 flex-1">
      <p className="font-semibold text-ink">{line.routeName}</p>
      <RouteLine {...line} />
      <p className="text-warning text-xs">Not on sale</p>
    </div>
    <RemoveButton {...line} />
  </li>
);

const RemoveButton = ({
  periodId,
  routeName,
  routeCode,
}: {
  periodId: number;
  routeName: string;
  routeCode: string;
}) => (
  <Form method="post">
    <input type="hidden" name="period_id" value={periodId} />
    <Button
      size="small"
      variant="quiet"
      icon="trash"
      name="intent"
      value="remove"
      className="-mr-3"
      aria-label={`Remove ${[routeName, routeCode].filter(Boolean).join(", ")}`}
    >
      Remove
    </Button>
  </Form>
);

type BasketLine = ReturnType<typeof useLoaderData<typeof loader>>["lines"][number];

const Line = ({ line }: { line: BasketLine }) => {
  const { terms } = useLoaderData<typeof loader>();
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
      <Form method="post" className="flex items-center gap-2" onChange={(event) => event.currentTarget.requestSubmit()}>
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
      <RemoveButton {...line} />
    </li>
  );
};

const Totals = ({ totals }: { totals: { listCents: number; taxCents: number; amountCents: number } }) => {
  const { lines, volumePercent, needsQuote, unavailable, signedIn, autoRenew } = useLoaderData<typeof loader>();
  const sumOf = (discountKind: "term" | "volume") =>
    lines
      .flatMap(({ discounts }) => discounts)
      .reduce((sum, { kind, cents }) => (kind === discountKind ? sum + cents : sum), 0);
  const [termCents, volumeCents] = [sumOf("term"), sumOf("volume")];
  return (
    <Card title="Total" footer={`Your active subscriptions count too. ${volumeDiscountsInWords}`}>
      <div className="grid gap-4">
        <dl className="grid gap-1.5 text-sm tabular-nums">
          <div className="flex justify-between gap-4 text-muted">
            <dt>List price</dt>
            <dd>{formatMoney(totals.listCents)}</dd>
          </div>
          {termCents > 0 ? (
            <div className="flex justify-between gap-4 text-muted">
              <dt>Term discounts</dt>
              <dd>−{formatMoney(termCents)}</dd>
            </div>
          ) : null}
          {volumeCents > 0 ? (
            <div className="flex justify-between gap-4 text-muted">
              <dt>Volume discount, {volumePercent}%</dt>
              <dd>−{formatMoney(volumeCents)}</dd>
            </div>
          ) : null}
          {totals.taxCents > 0 ? (
            <div className="flex justify-between gap-4 text-muted">
              <dt>Tax</dt>
              <dd>{formatMoney(totals.taxCents)}</dd>
            </div>
          ) : null}
          <div className="flex items-baseline justify-between gap-4 border-line border-t pt-3">
            <dt className="font-medium text-ink">{needsQuote ? "Subtotal before the quote" : "To pay now"}</dt>
            <dd className="font-semibold text-ink text-xl">{formatMoney(totals.amountCents)}</dd>
          </div>
        </dl>
        {needsQuote ? <QuoteNeeded /> : <Volume />}
        {needsQuote || unavailable.length > 0 ? null : (
          <Form method="post" className="grid gap-4">
            <CheckboxField
              name="auto_renew"
              label="Renew automatically"
              hint={`Each route renews separately, ${chargeInWords}.`}
              defaultChecked={autoRenew}
            />
            <SubmitButton name="intent" value="pay" pendingLabel={signedIn ? "Locking the price…" : "One moment…"}>
              {signedIn ? "Continue to payment" : "Subscribe"}
            </SubmitButton>
            {signedIn ? null : (
              <p className="text-[0.8125rem] text-muted leading-5">
                Next, create an account or sign in. We keep your basket, and the routes that your account already runs
                count towards the volume discount.
              </p>
            )}
          </Form>
        )}
      </div>
    </Card>
  );
};

/** @spec Terms and discounts (custom pricing) */
const QuoteNeeded = () => {
  const { unavailable } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-3 rounded-lg bg-sunken px-3.5 py-3 text-sm">
      <p className="font-medium text-ink">Orders of {customPricingInWords} have custom pricing.</p>
      <p className="text-muted">Request a quote. We answer with an offer that you can accept and pay here.</p>
      {unavailable.length > 0 ? null : (
        <div>
          <ButtonLink to="/billing/quotes/new" variant="primary">
            Request a quote
          </ButtonLink>
        </div>
      )}
    </div>
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
  { routes: customPricingFromRoutes, gain: "custom pricing" },
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
    label="Empty basket"
    size="small"
    title="Empty the basket?"
    intent="empty"
    confirm="Yes, empty it"
  >
    This removes every route from your basket.
  </Confirmation>
);
