import { Link, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Button } from "#app/portal/components/button.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { formatInstant } from "#app/portal/format.ts";

type Props = {
  routeId: number;
  /** Of the data's last change. */
  asOf: string;
  /** Of the version on the page. */
  etag: string;
};

/** How new the data is. Notices by itself when there is newer, and leaves it to the reader when to see it. */
export const AsOf = ({ routeId, asOf, etag }: Props) => {
  const line = useRef<HTMLParagraphElement>(null);
  const { news, dismiss } = useNews(`/routes/${routeId}/version`, etag);
  const { revalidate, state } = useRevalidator();
  const wanted = useRef(false);
  useEffect(() => {
    // The button went with its message: the keyboard goes on at what is new.
    if (news === null && wanted.current) line.current?.focus({ preventScroll: true });
    wanted.current = false;
  }, [news]);
  return (
    <div className="-mb-2">
      <p
        ref={line}
        tabIndex={-1}
        className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm focus:outline-none"
      >
        <span>
          As of <time dateTime={asOf}>{formatInstant(asOf)}</time>
        </span>
        <Link to={`/routes/${routeId}`} replace preventScrollReset className="link">
          Refresh
        </Link>
      </p>
      <div
        role="status"
        aria-label="News of the data"
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
                wanted.current = true;
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

const everyMs = 60_000;

/** Asks while the tab is seen, every minute and whenever it comes back; not again once there is news. */
const useNews = (url: string, etag: string): { news: News | null; dismiss: () => void } => {
  const [heard, setHeard] = useState<{ of: string; news: News | null } | null>(null);
  const isHeard = heard?.of === etag;
  useEffect(() => {
    if (isHeard) return;
    const abort = new AbortController();
    const ask = () => {
      if (document.visibilityState !== "visible") return;
      void newsSince(etag, url, abort.signal).then((news) => {
        if (news && !abort.signal.aborted) setHeard({ of: etag, news });
      });
    };
    const timer = setInterval(ask, everyMs);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
      abort.abort();
    };
  }, [url, etag, isHeard]);
  return { news: isHeard ? heard.news : null, dismiss: () => setHeard({ of: etag, news: null }) };
};

/** Without an answer there is no news: it is asked again soon. */
const newsSince = async (etag: string, url: string, signal: AbortSignal): Promise<News | null> => {
  try {
    const answer = await fetch(url, { headers: { "If-None-Match": etag }, signal });
    return answer.status !== 204 ? null : answer.headers.has("ETag") ? "newer" : "closed";
  } catch {
    return null;
  }
};
