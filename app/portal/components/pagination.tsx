import { useSearchParams } from "@remix-run/react";
import { ButtonLink } from "./button.tsx";

type Props = {
  /** From the list; null on the last page. */
  nextCursor: string | null;
  /** Such as "Showing 50 routes". */
  summary?: string;
};

/** Links to the next page by cursor and back to the first. The filters in the URL stay. */
export const Pagination = ({ nextCursor, summary }: Props) => {
  const [search] = useSearchParams();
  const isFirst = !search.has("cursor");
  if (isFirst && nextCursor === null && !summary) return null;
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3 text-muted text-sm">
      <span>{summary}</span>
      <span className="flex gap-2">
        {isFirst ? null : (
          <ButtonLink size="small" to={withCursor(search, null)}>
            First page
          </ButtonLink>
        )}
        {nextCursor === null ? null : (
          <ButtonLink size="small" to={withCursor(search, nextCursor)} rel="next">
            Next page
          </ButtonLink>
        )}
      </span>
    </nav>
  );
};

const withCursor = (search: URLSearchParams, cursor: string | null) => {
  const next = new URLSearchParams(search);
  next.delete("cursor");
  if (cursor !== null) next.set("cursor", cursor);
  return `?${next}`;
};
