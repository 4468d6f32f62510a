import { type ChangeView, changeInWords, sourceInWords } from "../change-words.ts";
import { formatAgo, formatInstant } from "../format.ts";
import { Small } from "./small.tsx";
import { Table } from "./table.tsx";

type Props = {
  /** Newest first. */
  changes: readonly ChangeView[];
  /** The service's time, an instant. */
  now: string;
};

/** Changes of route data: what, from what to what, and when. Place it in a `Card flush`. */
export const ChangeList = ({ changes, now }: Props) => (
  <Table
    caption="Changes"
    narrow
    rows={changes}
    rowKey={({ id }) => id}
    columns={[
      {
        key: "what",
        header: "Data",
        primary: true,
        cell: (change) => changeInWords(change).what,
      },
      { key: "figures", header: "Change", cell: (change) => <FiguresOf change={change} /> },
      { key: "source", header: "Source", desktopOnly: true, cell: ({ source }) => sourceInWords[source] },
      {
        key: "when",
        header: "Time",
        align: "end",
        cell: ({ occurredAt }) => (
          <time dateTime={occurredAt} title={formatInstant(occurredAt)} className="whitespace-nowrap">
            {formatAgo(occurredAt, now)}
          </time>
        ),
      },
    ]}
  />
);

const FiguresOf = ({ change }: { change: ChangeView }) => {
  const { figures, difference } = changeInWords(change);
  return (
    <span className="tabular-nums">
      {figures}
      {difference ? <Small>{difference}</Small> : null}
    </span>
  );
};
