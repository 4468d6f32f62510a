import { type RefObject, useEffect, useRef } from "react";
import { formatNumber } from "../format.ts";
import { Link } from "./button.tsx";

export type Tab = {
  label: string;
  to: string;
  current: boolean;
  /** A number after the label. */
  count?: number;
};

/** Links that look like tabs. Each leads to its own page. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav
    ref={useCurrentInView(tabs.find((tab) => tab.current)?.to)}
    aria-label={label}
    className="scroll-row border-b border-line"
  >
    <ul className="flex gap-4 sm:gap-5">
      {tabs.map((tab) => (
        <li key={tab.to}>
          <Link
            to={tab.to}
            prefetch="intent"
            preventScrollReset
            aria-current={tab.current ? "page" : undefined}
            className="flex min-h-11 items-center gap-2 border-b-2 border-transparent font-medium text-muted text-sm whitespace-nowrap hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent-fill aria-[current=page]:text-ink forced-colors:border-[Canvas] forced-colors:aria-[current=page]:border-[Highlight]"
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span className="rounded-full bg-sunken px-1.5 text-muted text-xs leading-5 tabular-nums">
                {formatNumber(tab.count)}
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);

/**
 * Scrolls the current link of a row into view. On a narrow screen the row scrolls sideways; the page itself does not.
 *
 * @param current where the link leads
 */
export const useCurrentInView = (current: string | undefined): RefObject<HTMLElement> => {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const tab = current === undefined ? null : row.current?.querySelector<HTMLElement>("[aria-current]");
    if (!row.current || !tab) return;
    const middle = tab.offsetLeft - row.current.offsetLeft + tab.offsetWidth / 2;
    row.current.scrollLeft = middle - row.current.clientWidth / 2;
  }, [current]);
  return row;
};
