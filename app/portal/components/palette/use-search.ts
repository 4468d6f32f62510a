import { useEffect, useState } from "react";
import type { SearchResults } from "./palette-item.ts";

/** Debounce: how long typing must pause before a request. */
const debounceMs = 150;

const noResults: SearchResults = { routes: [], searches: [], subscriptions: [], invoices: [], keys: [], documents: [] };

type Search = { results: SearchResults; state: "idle" | "searching" | "failed" };

/** Searches on the server as the user types. A response that a newer query has overtaken is dropped. */
export const useSearch = (query: string): Search => {
  const [search, setSearch] = useState<Search>({ results: noResults, state: "idle" });
  const trimmed = query.trim();
  useEffect(() => {
    if (trimmed === "") return setSearch({ results: noResults, state: "idle" });
    const abort = new AbortController();
    setSearch(({ results }) => ({ results, state: "searching" }));
    const timer = setTimeout(() => {
      fetchResults(trimmed, abort.signal).then(
        (results) => setSearch({ results, state: "idle" }),
        () => {
          if (!abort.signal.aborted) setSearch({ results: noResults, state: "failed" });
        },
      );
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [trimmed]);
  return search;
};

const fetchResults = async (q: string, signal: AbortSignal): Promise<SearchResults> => {
  const response = await fetch(`/search?${new URLSearchParams({ q })}`, { signal });
  if (!response.ok) throw new Error(`The search was answered with ${response.status}`);
  return response.json();
};
