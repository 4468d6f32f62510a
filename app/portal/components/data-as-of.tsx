import { formatInstant } from "../format.ts";
import { Badge } from "./badge.tsx";

type Props = {
  /** Null: there is no data yet. */
  dataAsOf: string | null;
  /** Null: no update is expected. */
  nextUpdateDue: string | null;
  isStale: boolean;
  /** Whether to say when the next update is due. Late data always says when it was. */
  withNextUpdate?: boolean;
};

/** The age of a period's data, and whether it is late. */
export const DataAsOf = ({ dataAsOf, nextUpdateDue, isStale, withNextUpdate = false }: Props) => (
  <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
    <span>
      {dataAsOf === null ? (
        "No data yet"
      ) : (
        <>
          {withNextUpdate ? "Data as of " : null}
          <time dateTime={dataAsOf}>{formatInstant(dataAsOf)}</time>
        </>
      )}
    </span>
    {nextUpdateDue !== null && (withNextUpdate || isStale) ? (
      <span>
        {isStale ? "Update was due" : "Next update by"}{" "}
        <time dateTime={nextUpdateDue}>{formatInstant(nextUpdateDue)}</time>
      </span>
    ) : null}
    {isStale ? (
      <Badge tone="danger" dot>
        Late
      </Badge>
    ) : null}
  </span>
);
