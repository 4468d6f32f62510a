import { useLocation } from "@remix-run/react";
import { lazy, Suspense, useEffect, useState } from "react";
import type { RootData } from "../../root-data.ts";
import { Icon } from "../icon.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

const loadSearch = () => import("./search-dialog.tsx");
const SearchDialog = lazy(() => loadSearch().then((module) => ({ default: module.SearchDialog })));
const ShortcutsDialog = lazy(() =>
  import("./shortcuts-dialog.tsx").then((module) => ({ default: module.ShortcutsDialog })),
);

type Props = Pick<RootData, "account" | "singleKeys">;

/**
 * The command palette: its button in the top bar, its shortcuts and its dialogs. The dialogs are loaded on first use.
 * Without scripts the button is a link to the catalogue's search.
 */
export const Palette = ({ account, singleKeys }: Props) => {
  const [open, setOpen] = useState<"search" | "shortcuts" | null>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes on every navigation
  useEffect(() => setOpen(null), [pathname]);
  useShortcuts({
    account,
    singleKeys,
    onSearch: () => setOpen("search"),
    onHelp: () => setOpen("shortcuts"),
  });
  return (
    <>
      <a
        href="/routes"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          setOpen("search");
        }}
        onPointerEnter={loadSearch}
        onFocus={loadSearch}
        className="flex min-h-11 items-center gap-2 whitespace-nowrap rounded-lg px-2.5 font-medium text-on-helm-muted text-sm hover:bg-helm-raised hover:text-on-helm focus-visible:outline-helm-accent lg:min-h-9 lg:border lg:border-helm-line"
      >
        <Icon name="search" className="size-5 lg:size-4" />
        <span className="max-xl:sr-only">Search</span>
        <span aria-hidden="true" className="ml-1 text-xs max-xl:hidden">
          Ctrl K
        </span>
      </a>
      {/* Rendered only when open: a Suspense boundary in the server's HTML that updates before hydration is an error. */}
      {open === null ? null : (
        <Suspense fallback={null}>
          {open === "search" ? (
            <SearchDialog account={account} onClose={() => setOpen(null)} />
          ) : (
            <ShortcutsDialog account={account} singleKeys={singleKeys} onClose={() => setOpen(null)} />
          )}
        </Suspense>
      )}
    </>
  );
};
