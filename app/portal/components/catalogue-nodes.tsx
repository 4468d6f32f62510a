import { Link } from "@remix-run/react";
import type { Figures } from "../../domain/catalogue/hierarchy.ts";
import { formatDays, formatMoney, formatNumber } from "../format.ts";
import { type Column, Table } from "./table.tsx";

type Node = Figures & { code: string; name: string; note?: string };

type Props = {
  /** What the table lists; `header` is the same in the singular, for the first column. */
  caption: string;
  header: string;
  nodes: readonly Node[];
  /** The path that each row's code is appended to: `/trade-lanes`. */
  under: string;
};

/** The next level of the catalogue, with key figures for each entry. */
export const CatalogueNodes = ({ caption, header, nodes, under }: Props) => (
  <Table
    caption={caption}
    narrow
    rows={nodes}
    rowKey={(node) => node.code}
    columns={[
      {
        key: "name",
        header,
        primary: true,
        cell: (node) => (
          <span className="grid justify-items-start gap-0.5">
            <Link
              to={`${under}/${encodeURIComponent(node.code)}`}
              prefetch="intent"
              className="font-semibold text-ink hover:text-accent hover:underline"
            >
              {node.name}
            </Link>
            {node.note ? <span className="font-normal text-muted text-xs">{node.note}</span> : null}
          </span>
        ),
      },
      ...figureColumns,
    ]}
  />
);

const figureColumns: Column<Node>[] = [
  { key: "routes", header: "Routes", align: "end", cell: ({ routes }) => formatNumber(routes) },
  {
    key: "carriers",
    header: "Carriers",
    align: "end",
    desktopOnly: true,
    cell: ({ carriers }) => formatNumber(carriers),
  },
  {
    key: "transit",
    header: "Median transit",
    align: "end",
    desktopOnly: true,
    cell: ({ medianTransitDays }) => (medianTransitDays === null ? "–" : formatDays(medianTransitDays)),
  },
  {
    key: "sailings",
    header: "Sailings a week",
    align: "end",
    desktopOnly: true,
    cell: ({ sailingsPerWeek }) => formatNumber(sailingsPerWeek),
  },
  {
    key: "price",
    header: "From, a month",
    align: "end",
    cell: ({ priceFromCents }) =>
      priceFromCents === null ? "Not on sale" : <strong>{formatMoney(priceFromCents)}</strong>,
  },
];
