import { Link, useLocation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Button } from "#app/portal/components/button.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { formatInstant } from "#app/portal/format.ts";

type Props = {
  routeId: number;
  /** Time of the last change to the data. */
  asOf: string;
  /** ETag of the version on the page. */
  etag: string;
};

/** The age of the data. Announces newer data when there is some, and lets the reader decide when to load it. */
export const AsOf = ({ routeId, asOf, etag }: Props) => {
  const line = useRef<HTMLParagraphElement>(null);
  const { news, dismiss } = useNews(`/routes/${routeId}/version`, etag);
  const { revalidate, state } = useRevalidator();
  const { search } = useLocation();
  const isRefreshing = useRef(false);
  useEffect(() => {
    // The button disappears with its message, so the focus moves to the new data.
    if (news === null && isRefreshing.current) line.current?.focus({ preventScroll: true });
    isRefreshing.current = false;
  }, [news]);
  return (
    <div>
      <p
        ref={line}
        tabIndex={-1}
        className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm focus:outline-none"
      >
        <span>
          As of <time dateTime={asOf}>{formatInstant(asOf)}</time>
        </span>
        <Link to={`/routes/${routeId}${search}`} replace preventScrollReset className="link">
          Refresh
        </Link>
      </p>
      <div
        role="status"
        aria-label="Data updates"
        className="no-print pointer-events-none fixed inset-x-0 bottom-0 z-30 flex justify-center p-4"
      >
        {news === null ? null : (
          <p className="toast newer-data pointer-events-auto flex items-center gap-3 rounded-xl border border-line-strong bg-surface py-1.5 pr-1.5 pl-4 font-medium text-ink text-sm shadow-float">
            {news === "newer" ? "Newer data is available" : "Your access has changed"}
            <Button
              type="button"
              variant="primary"
              size="small"
              icon="refresh"
              pending={state === "loading"}
              onClick={() => {
                isRefreshing.current = true;
                revalidate();
              }}
            >
              Refresh
            </Button>
            <button
              type="button"
              aria-label="Not now"
              onClick={() => {
                dismiss();
                line.current?.focus({ preventScroll: true });
              }}
              className="-ml-2 grid size-8 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
            >
              <Icon name="x" className="size-4.5" />
            </button>
          </p>
        )}
      </div>
    </div>
  );
};

type News = "newer" | "closed";

const pollIntervalMs = 60_000;

/** Polls every minute while the tab is visible, and when it becomes visible again, until there is news. */
const useNews = (url: string, etag: string): { news: News | null; dismiss: () => void } => {
  const [notice, setNotice] = useState<{ of: string; news: News | null } | null>(null);
  const isCurrent = notice?.of === etag;
  useEffect(() => {
    if (isCurrent) return;
    const abort = new AbortController();
    const poll = () => {
      if (document.visibilityState !== "visible") return;
      void newsSince(etag, url, abort.signal).then((news) => {
        if (news && !abort.signal.aborted) setNotice({ of: etag, news });
      });
    };
    const timer = setInterval(poll, pollIntervalMs);
    document.addEventListener("visibilitychange", poll);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", poll);
      abort.abort();
    };
  }, [url, etag, isCurrent]);
  return { news: isCurrent ? notice.news : null, dismiss: () => setNotice({ of: etag, news: null }) };
};

/** A failed request counts as no news, because the next poll asks again. */
const newsSince = async (etag: string, url: string, signal: AbortSignal): Promise<News | null> => {
  try {
    const response = await fetch(url, { headers: { "If-None-Match": etag }, signal });
    return response.status !== 204 ? null : response.headers.has("ETag") ? "newer" : "closed";
  } catch {
    return null;
  }
};
