import { priceFields } from "#app/domain/stock/price-form.ts";
import type { PeriodPricing } from "#app/domain/stock/set-price.server.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import type { FormProblem } from "#app/portal/form-action.server.ts";
import { formatDay, formatMoney, formatWord } from "#app/portal/format.ts";
import { RecordForm } from "./record-form.tsx";

type Props = { pricing: PeriodPricing; problem: FormProblem | null | undefined };

/** The price of a period, with the form that freezes or overrides it. */
export const PeriodPrice = ({ pricing, problem }: Props) => {
  const { monthlyCents, calculatedCents, overrides } = pricing;
  const isSet = overrides.some(({ state }) => state === "in_force" || state === "scheduled");
  return (
    <>
      <Card
        title="Price"
        description={`${formatMoney(monthlyCents)} per month today. Calculated from base price, freshness and popularity: ${formatMoney(calculatedCents)}.`}
        actions={isSet ? <Release /> : undefined}
      >
        {problem?.intent === "release_price" ? <FormError message={problem.message} /> : null}
        <p className="mb-5 max-w-prose text-muted text-sm">
          A price that you set applies to this route at this freshness, also in later periods. Subscriptions pay it from
          their next renewal, unless that price has already been announced.
        </p>
        <RecordForm
          key={overrides.length}
          fields={priceFields}
          values={{}}
          choices={{}}
          problem={problem}
          intent="set_price"
          submit="Set price"
        />
      </Card>
      {overrides.length > 0 ? (
        <Card title="Prices set by operators" flush>
          <Table caption="Prices set by operators" columns={columns} rows={overrides} rowKey={({ id }) => id} />
        </Card>
      ) : null}
    </>
  );
};

const Release = () => (
  <Confirmation
    id="release-price"
    label="Remove price"
    title="Remove the price you set?"
    intent="release_price"
    confirm="Remove it"
    keep="Keep price"
  >
    The price is immediately calculated from base price, freshness and popularity again. A price that was to begin later
    is dropped.
  </Confirmation>
);

const columns: Column<PeriodPricing["overrides"][number]>[] = [
  {
    key: "days",
    header: "Days",
    primary: true,
    cell: ({ validFrom, validTo }) => `From ${formatDay(validFrom)}${validTo ? ` to ${formatDay(validTo)}` : ""}`,
  },
  { key: "price", header: "A month", align: "end", cell: ({ monthlyCents }) => formatMoney(monthlyCents) },
  { key: "kind", header: "What", cell: ({ kind }) => formatWord(kind) },
  { key: "reason", header: "Reason", cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span> },
  { key: "operator", header: "By", cell: ({ operator }) => operator ?? "By command" },
  {
    key: "state",
    header: "State",
    cell: ({ state }) => <Badge tone={state === "in_force" ? "success" : "neutral"}>{formatWord(state)}</Badge>,
  },
];
