import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { ExchangeRate } from "#app/domain/catalogue/exchange-rates.ts";
import { currency } from "#app/domain/money.ts";
import { setExchangeRate } from "#app/domain/stock/change-records.server.ts";
import { listExchangeRates } from "#app/domain/stock/list-records.server.ts";
import { exchangeRateFields } from "#app/domain/stock/records.ts";
import { Card } from "#app/portal/components/card.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatDay } from "#app/portal/format.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { RecordForm } from "./record-form.tsx";

export const meta: MetaFunction = () => [{ title: "Exchange rates · Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  return { rates: await listExchangeRates(ctx, caller) };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    set: operatorForm(z.record(z.string(), z.string()), async ({ ctx, caller }, values) => {
      await setExchangeRate(ctx, caller, values);
      throw await redirectWithToast("/operations/catalogue/exchange-rates", {
        message: `1 ${values.base} is ${values.rate} ${values.quote} as of ${values.as_of}`,
      });
    }),
  })(args);

const ExchangeRates = () => {
  const { rates } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Exchange rates"
        breadcrumbs={[{ label: "Catalogue", to: "/operations/catalogue" }]}
        description="We convert surcharges in other currencies to US dollars at the latest rate on or before their day."
      />
      <Card
        title="Set exchange rate"
        description="Replaces a rate for the same currencies and day. Existing reports and surcharges keep their rate until their file is imported again."
      >
        <RecordForm
          key={JSON.stringify(rates)}
          fields={exchangeRateFields}
          values={{ quote: currency }}
          choices={{}}
          problem={problem}
          intent="set"
          submit="Set exchange rate"
        />
      </Card>
      <Card title="Latest exchange rates" flush>
        <Table
          caption="Exchange rates"
          columns={columns}
          rows={rates}
          rowKey={({ base, quote, asOf }) => `${base} ${quote} ${asOf}`}
          empty={<p className="px-5 py-4 text-muted text-sm">There are no exchange rates yet.</p>}
          narrow
        />
      </Card>
    </div>
  );
};

export default ExchangeRates;

const columns: Column<ExchangeRate>[] = [
  { key: "as-of", header: "As of", primary: true, cell: ({ asOf }) => formatDay(asOf) },
  { key: "rate", header: "Rate", align: "end", cell: ({ base, quote, rate }) => `1 ${base} = ${rate} ${quote}` },
  { key: "source", header: "Source", cell: ({ source }) => source },
];
