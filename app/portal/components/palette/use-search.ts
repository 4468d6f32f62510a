import { useEffect, useState } from "react";
import type { SearchAnswer } from "./palette-item.ts";

/** Debounce: how long typing must pause before a request. */
const pauseMs = 150;

const nothing: SearchAnswer = { routes: [], subscriptions: [] };

type Search = { answer: SearchAnswer; state: "idle" | "searching" | "failed" };

/** Searches on the server as the user types. A response that a newer query has overtaken is dropped. */
export const useSearch = (query: string): Search => {
  const [search, setSearch] = useState<Search>({ answer: nothing, state: "idle" });
  const asked = query.trim();
  useEffect(() => {
    if (asked === "") return setSearch({ answer: nothing, state: "idle" });
    const abort = new AbortController();
    setSearch(({ answer }) => ({ answer, state: "searching" }));
    const timer = setTimeout(() => {
      ask(asked, abort.signal).then(
        (answer) => setSearch({ answer, state: "idle" }),
        () => {
          if (!abort.signal.aborted) setSearch({ answer: nothing, state: "failed" });
        },
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [asked]);
  return search;
};

const ask = async (q: string, signal: AbortSignal): Promise<SearchAnswer> => {
  const answer = await fetch(`/search?${new URLSearchParams({ q })}`, { signal });
  if (!answer.ok) throw new Error(`The search was answered with ${answer.status}`);
  return answer.json();
};
