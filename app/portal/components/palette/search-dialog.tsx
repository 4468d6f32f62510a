// biome-ignore-all lint/a11y/useFocusableInteractive: a combobox keeps the focus in its field (aria-activedescendant)
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field handles the keyboard
import { useNavigate } from "@remix-run/react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { formatCount, formatDay, formatMoney, formatWord } from "../../format.ts";
import type { RootData } from "../../root-data.ts";
import { Icon } from "../icon.tsx";
import { Modal } from "./modal.tsx";
import { pagesFound } from "./pages.ts";
import type { PaletteGroup, PaletteItem, SearchResults } from "./palette-item.ts";
import { useSearch } from "./use-search.ts";

type Props = Pick<RootData, "account"> & { onClose: () => void };

/** Searches pages, the account's subscriptions and all routes from one field. */
export const SearchDialog = ({ account, onClose }: Props) => {
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const { results, state } = useSearch(query);
  const groups = groupsOf(account, query, results);
  const all = groups.flatMap(({ items }) => items);
  const current = all[Math.min(chosen, all.length - 1)];

  useEffect(() => {
    if (current) document.getElementById(current.id)?.scrollIntoView({ block: "nearest" });
  }, [current]);

  const go = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    navigate(item.to);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") go(current);
    else if (event.key in steps) setChosen(nextIndex(event.key, Math.min(chosen, all.length - 1), all.length));
    else return;
    event.preventDefault();
  };

  return (
    <Modal label="Search" onClose={onClose}>
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Icon name="search" className="size-5 text-muted" />
        <input
          type="text"
          role="combobox"
          aria-label="Search routes, subscriptions, invoices, documentation and pages"
          aria-expanded={all.length > 0}
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={current?.id}
          autoComplete="off"
          spellCheck={false}
          placeholder="Port, carrier, invoice, setting or page"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKey}
          className="min-h-14 min-w-0 flex-1 bg-transparent text-base placeholder:text-faint focus-visible:outline-none"
        />
        <form method="dialog">
          <button
            type="submit"
            aria-label="Esc: close"
            className="min-h-8 rounded-md border border-line px-2 font-medium text-muted text-xs hover:bg-sunken"
          >
            <span className="pointer-coarse:hidden">Esc</span>
            <span className="hidden pointer-coarse:inline">Close</span>
          </button>
        </form>
      </div>
      <div id="palette-list" role="listbox" aria-label="Found" className="max-h-[min(26rem,60vh)] overflow-y-auto p-2">
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
          <div key={group.label} role="group" aria-label={group.label} className="pb-1">
            <p aria-hidden="true" className="px-3 pt-2 pb-1 font-medium text-faint text-xs">
              {group.label}
            </p>
            {group.items.map((item) => (
              <div
                key={item.id}
                id={item.id}
                role="option"
                aria-selected={item === current}
                onClick={() => go(item)}
                onPointerMove={() => setChosen(all.indexOf(item))}
                className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg border border-transparent px-3 py-1.5 aria-selected:border-accent-line aria-selected:bg-accent-soft forced-colors:border-[Canvas] forced-colors:aria-selected:border-[Highlight]"
              >
                <Icon name={item.icon} className="size-5 text-muted" />
                <span className="min-w-0 flex-1 sm:flex sm:items-baseline sm:justify-between sm:gap-4">
                  <span className="block truncate font-medium text-sm">{item.label}</span>
                  {item.detail ? <span className="block truncate text-muted text-xs">{item.detail}</span> : null}
                </span>
              </div>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className="border-line border-t bg-canvas px-4 py-2.5 text-muted text-xs">
        {state === "failed"
          ? "Search is not available. Check your connection. You can still open pages."
          : state === "searching"
            ? "Searching…"
            : all.length === 0
              ? `No results for “${query.trim()}”. Try a port, a carrier, a code or the name of a page.`
              : formatCount(all.length, "result")}
        {state === "idle" && all.length > 0 ? (
          <span className="pointer-coarse:hidden">. Arrow keys to choose, Enter to open.</span>
        ) : null}
      </p>
    </Modal>
  );
};

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** The index after an arrow key, wrapping around at both ends. */
const nextIndex = (key: string, from: number, count: number): number =>
  count === 0 ? 0 : (from + (steps[key] ?? 0) + count) % count;

const groupsOf = (account: Props["account"], query: string, results: SearchResults): PaletteGroup[] => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const pages = pagesFound(account, words);
  const groups: PaletteGroup[] = [
    {
      label: "Your subscriptions",
      items: results.subscriptions.map(({ id, name, code, lastDay }) => ({
        id: `found-subscription-${id}`,
        label: name,
        detail: `${code}, last day ${formatDay(lastDay)}`,
        icon: "layers",
        to: `/subscriptions/${id}`,
      })),
    },
    {
      label: "Saved searches",
      items: results.searches.map(({ id, name, query }) => ({
        id: `found-search-${id}`,
        label: name,
        icon: "search",
        to: `/routes?${query}`,
      })),
    },
    {
      label: "Routes",
      items: results.routes.map(({ id, name, code, carrier }) => ({
        id: `found-route-${id}`,
        label: name,
        detail: `${carrier}, ${code}`,
        icon: "route",
        to: `/routes/${id}`,
      })),
    },
    {
      label: "Invoices",
      items: results.invoices.map(({ id, number, issuedAt, amountCents, currency }) => ({
        id: `found-invoice-${id}`,
        label: `Invoice ${number}`,
        detail: `${formatDay(issuedAt)}, ${formatMoney(amountCents, currency)}`,
        icon: "card",
        to: `/billing/${id}`,
      })),
    },
    {
      label: "API keys",
      items: results.keys.map(({ id, name, status }) => ({
        id: `found-key-${id}`,
        label: name,
        detail: formatWord(status),
        icon: "key",
        to: "/api-keys",
      })),
    },
    {
      label: "Pages",
      items: pages.map(({ label, to, icon }) => ({ id: `found-page-${to.replaceAll("/", "-")}`, label, icon, to })),
    },
    {
      label: "Documentation",
      items: results.documents.map(({ title, detail, to }) => ({
        id: `found-document-${to.replaceAll(/[/#]/g, "-")}`,
        label: title,
        detail,
        icon: "book",
        to,
      })),
    },
    {
      label: "Everything",
      items:
        results.routes.length === 0
          ? []
          : [
              {
                id: "found-everything",
                label: `All routes with “${query.trim()}”`,
                icon: "search",
                to: `/routes?${new URLSearchParams({ q: query.trim() })}`,
              },
            ],
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
};
