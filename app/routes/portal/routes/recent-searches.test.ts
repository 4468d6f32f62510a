import { describe, expect, it } from "vitest";
import { type RecentSearch, searchToKeep, withSearch } from "./recent-searches.server.ts";

const search = (q: string): RecentSearch => ({ label: q, to: `?q=${q}` });

describe("Recent searches", () => {
  it("are kept newest first, each once, and at most five", () => {
    const all = ["a1", "b2", "c3", "d4", "e5", "f6", "b2"].map(search).reduce(withSearch, [] as RecentSearch[]);
    expect(all.map(({ label }) => label)).toEqual(["b2", "f6", "e5", "d4", "c3"]);
  });

  it("do not keep what was typed on the way to a search", () => {
    const typed = ["rot", "rotter", "rotterdam", "rotterda", "shang"].map(search);
    expect(typed.reduce(withSearch, [] as RecentSearch[]).map(({ label }) => label)).toEqual(["shang", "rotterda"]);
  });

  it("are none without ports and words", () => {
    expect(searchToKeep({}, [])).toBeNull();
    expect(searchToKeep({ q: "reefer" }, [])).toEqual({ label: "reefer", to: "?q=reefer" });
  });
});
