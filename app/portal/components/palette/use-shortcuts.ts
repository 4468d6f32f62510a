import { useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { RootData } from "../../root-data.ts";
import { documentation, mainDestinations } from "../destinations.ts";

/** How long `g` waits for the second key. */
const sequenceMs = 1_500;

type Options = Pick<RootData, "account" | "singleKeys"> & { onSearch: () => void; onHelp: () => void };

/**
 * Ctrl+K or ⌘K works everywhere; `/`, `?` and `g …` work only outside fields and dialogs, and only unless the user has
 * turned single-key shortcuts off (WCAG 2.1.4).
 */
export const useShortcuts = (options: Options): void => {
  const navigate = useNavigate();
  const current = useRef({ ...options, navigate });
  current.current = { ...options, navigate };
  useEffect(() => {
    let sequenceTimer: ReturnType<typeof setTimeout> | undefined;
    const endSequence = () => {
      clearTimeout(sequenceTimer);
      sequenceTimer = undefined;
    };
    const onKey = (event: KeyboardEvent) => {
      const { account, singleKeys, onSearch, onHelp, navigate } = current.current;
      if (event.defaultPrevented || event.isComposing) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        onSearch();
        return;
      }
      if (!singleKeys || event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return endSequence();
      const isSecond = sequenceTimer !== undefined;
      endSequence();
      const destination = isSecond
        ? [...mainDestinations(account), documentation].find(({ key }) => key === event.key)
        : undefined;
      if (destination) {
        event.preventDefault();
        navigate(destination.to);
      } else if (event.key === "g") sequenceTimer = setTimeout(endSequence, sequenceMs);
      else if (event.key === "?") onHelp();
      else if (event.key === "/") {
        event.preventDefault();
        focusSearch() || onSearch();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => {
      endSequence();
      document.removeEventListener("keydown", onKey);
    };
  }, []);
};

const isBusy = (target: EventTarget | null): boolean =>
  document.querySelector("dialog[open]") !== null ||
  (target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select")));

/** Focuses the page's search field; false if it has none. */
const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>('main [role="search"] input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
};
