import { describe, expect, it } from "vitest";
import { changelog } from "../api/changelog.ts";
import { changelogFeed } from "./changelog-feed.ts";

const appUrl = "https://data.example.com";
const all = (feed: string, element: string) =>
  [...feed.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g"))].map(([, text]) => text);

describe("The feed of the changelog", () => {
  it("has an entry with its own id for every change", () => {
    const feed = changelogFeed(appUrl, changelog);
    expect(feed.match(/<entry>/g)).toHaveLength(changelog.length);
    const ids = all(feed, "id");
    expect(new Set(ids).size).toBe(changelog.length + 1);
    for (const id of ids) expect(URL.canParse(id ?? "")).toBe(true);
  });

  it("escapes its text", () => {
    const feed = changelogFeed(appUrl, [{ date: "2026-11-22", kind: "added", title: "A & B", text: "1 < 2" }]);
    expect(feed).toContain("<title>added: A &amp; B</title>");
    expect(feed).toContain("1 &lt; 2");
    expect(feed).toContain("<updated>2026-11-22T00:00:00Z</updated>");
  });
});

it("The changelog is in order, newest first", () => {
  const dates = changelog.map(({ date }) => date);
  expect(dates).toEqual(dates.toSorted().reverse());
});
