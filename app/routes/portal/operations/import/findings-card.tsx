import type { Finding } from "#app/domain/imports/finding.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formatNumber } from "#app/portal/format.ts";

type Props = {
  title: "Errors" | "Warnings";
  fileName: string;
  findings: readonly Finding[];
  count: number;
  importId: number;
};

/** A page shows this many; the CSV file has all that are kept. */
const shownOnPage = 100;

/** The errors or warnings of a file. */
export const FindingsCard = ({ title, fileName, findings, count, importId }: Props) => (
  <Card
    title={title}
    description={count > shownOnPage ? `The first ${formatNumber(shownOnPage)} of ${formatNumber(count)}.` : undefined}
    actions={
      <ButtonLink to={`/operations/import/${importId}/findings.csv`} size="small" icon="download" reloadDocument>
        CSV
      </ButtonLink>
    }
    flush
  >
    <Table
      caption={fileName === "" ? title : `${title} in ${fileName}`}
      columns={columns}
      rows={findings.slice(0, shownOnPage).map((finding, i) => ({ ...finding, key: i }))}
      rowKey={(row) => row.key}
    />
  </Card>
);

const columns: Column<Finding & { key: number }>[] = [
  { key: "row", header: "Row", primary: true, cell: (row) => `Row ${formatNumber(row.row)}` },
  {
    key: "column",
    header: "Column",
    cell: (row) =>
      row.column === "" ? (
        <span className="text-muted">Whole row</span>
      ) : (
        <code className="font-mono">{row.column}</code>
      ),
  },
  {
    key: "value",
    header: "Value",
    cell: (row) =>
      row.value === "" ? (
        <span className="text-muted">Empty</span>
      ) : (
        <code className="break-all font-mono">{row.value.slice(0, 120)}</code>
      ),
  },
  { key: "code", header: "Code", cell: (row) => <code className="font-mono">{row.code}</code> },
  { key: "message", header: "What to do", cell: (row) => row.message },
];
