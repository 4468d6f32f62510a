import type { Preview } from "#app/domain/imports/preview.ts";
import { Card } from "#app/portal/components/card.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formatCount, formatMoney, formatNumber } from "#app/portal/format.ts";

/** What applying the file would change: whom it affects, prices, and the first records field by field. */
export const PreviewCard = ({ preview, changed }: { preview: Preview; changed: number }) => {
  const { touched, prices, changes } = preview;
  if (changes.length === 0 && prices.length === 0) return null;
  const shown =
    changes.length < changed ? ` The first ${formatNumber(changes.length)} of ${formatNumber(changed)}.` : "";
  const affected = `${formatCount(touched.subscriptions, "running subscription")} on ${formatCount(touched.routes, "route")}`;
  return (
    <>
      {prices.length > 0 ? (
        <Card title="Prices" flush>
          <Table
            caption="Prices"
            columns={priceColumns}
            rows={prices}
            rowKey={(row) => `${row.code} ${row.validFrom}`}
          />
        </Card>
      ) : null}
      <Card title="Changes" description={`Affects ${affected}.${shown}`} flush>
        <Table
          caption="Changes"
          columns={changeColumns}
          rows={changes.map((change, i) => ({ ...change, index: i }))}
          rowKey={(row) => row.index}
        />
      </Card>
    </>
  );
};

const priceColumns: Column<Preview["prices"][number]>[] = [
  { key: "lane", header: "Trade lane", primary: true, cell: (row) => row.code },
  {
    key: "before",
    header: "Before",
    align: "end",
    cell: (row) => (row.beforeCents === null ? "–" : formatMoney(row.beforeCents)),
  },
  { key: "after", header: "After", align: "end", cell: (row) => formatMoney(row.afterCents) },
  { key: "from", header: "Valid from", cell: (row) => row.validFrom },
  { key: "periods", header: "Periods", align: "end", cell: (row) => formatNumber(row.periods) },
];

const changeColumns: Column<Preview["changes"][number] & { index: number }>[] = [
  {
    key: "record",
    header: "Record",
    primary: true,
    cell: (row) => <span className="[overflow-wrap:anywhere]">{row.key}</span>,
  },
  {
    key: "fields",
    header: "Fields",
    cell: ({ fields }) => (
      <ul className="grid gap-0.5">
        {fields.map(({ name, before, after }) => (
          <li key={name} className="[overflow-wrap:anywhere]">
            <code className="font-mono">{name}</code>{" "}
            {before === null ? null : <span className="text-muted">{before} → </span>}
            {after ?? "empty"}
          </li>
        ))}
      </ul>
    ),
  },
];
