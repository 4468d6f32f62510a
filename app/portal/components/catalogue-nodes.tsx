import type { FiguresView } from "../figures-view.ts";
import { formatDays, formatNumber } from "../format.ts";
import { Link } from "./button.tsx";
import { PriceCell, priceLabel } from "./price.tsx";
import { type Column, Table } from "./table.tsx";
import { Term } from "./term.tsx";

type Node = FiguresView & { code: string; name: string; note?: string };

type Props = {
  /** What the table lists; `header` is the same in the singular, for the first column. */
  caption: string;
  header: string;
  nodes: readonly Node[];
  /** The path that each row's code is appended to: `/trade-lanes`. */
  under: string;
  signedIn: boolean;
};

/** The next level of the catalogue, with key figures for each entry. */
export const CatalogueNodes = ({ caption, header, nodes, under, signedIn }: Props) => (
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
      ...figureColumns(signedIn),
    ]}
  />
);

const figureColumns = (signedIn: boolean): Column<Node>[] => [
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
    header: "Median transit time",
    heading: (
      <>
        Median <Term name="Transit time">transit time</Term>
      </>
    ),
    align: "end",
    desktopOnly: true,
    cell: ({ medianTransitDays }) => (medianTransitDays === null ? "–" : formatDays(medianTransitDays)),
  },
  {
    key: "sailings",
    header: "Sailings per week",
    align: "end",
    desktopOnly: true,
    cell: ({ sailingsPerWeek }) => formatNumber(sailingsPerWeek),
  },
  {
    key: "price",
    header: `${priceLabel(signedIn)} from, per month`,
    align: "end",
    cell: ({ priceFrom }) => <PriceCell price={priceFrom} />,
  },
];
