/** Saved searches as the pages save, show and find them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPortalService } from "#app/testing/portal-service.ts";
import { loader as find } from "../search.ts";
import { loader as routesPage } from "./index.tsx";
import { action, loader as savedPage } from "./saved.tsx";

const site = "http://localhost:3000";
let portal: Awaited<ReturnType<typeof openPortalService>>;
beforeAll(async () => {
  portal = await openPortalService("searcher");
});
afterAll(() => portal.close());

const incoming = (path: string, init: RequestInit = {}, cookie = portal.cookie) => ({
  request: new Request(site + path, { ...init, headers: { Cookie: cookie } }),
  params: {},
  context: {},
});

const send = async (form: Record<string, string>) => {
  const init = { method: "POST", body: new URLSearchParams(form) };
  const outcome = await action(incoming("/routes/saved", init)).catch((thrown: unknown) => thrown);
  if (outcome instanceof Response) return { location: outcome.headers.get("Location"), problem: null };
  return {
    location: null,
    problem: (outcome as { data: { problem: { message: string; values: object } } }).data.problem,
  };
};

const routes = async (path: string, cookie?: string) => (await routesPage(incoming(path, {}, cookie))).data;
const saved = async () => (await savedPage(incoming("/routes/saved"))).saved;
const found = async (q: string) => (await (await find(incoming(`/search?q=${q}`))).json()).searches;

const pair = "origin=CNSHA&destination=NLRTM&cargo_type=container";

describe("The list of routes", () => {
  it("offers a name for a search with filters, and none without", async () => {
    expect((await routes("/routes")).toSave).toBeNull();
    expect((await routes("/routes?sort=price&view=map")).toSave).toBeNull();
    expect((await routes(`/routes?${pair}&view=map`)).toSave).toEqual({
      query: pair,
      suggestedName: "Shanghai – Rotterdam, Container",
      savedAs: null,
    });
  });

  it("saves the search, returns to it, and then shows it under its name", async () => {
    const back = `/routes?${pair}&view=map`;
    expect(await send({ intent: "save", name: "Boxes to Rotterdam", query: pair, back })).toMatchObject({
      location: back,
    });
    // The same filters in another order.
    const page = await routes("/routes?cargo_type=container&destination=NLRTM&origin=CNSHA");
    expect(page.toSave?.savedAs).toBe("Boxes to Rotterdam");
    expect(page.saved).toEqual([{ label: "Boxes to Rotterdam", to: `?${pair}` }]);
    expect(await found("rotterdam+boxes")).toMatchObject([{ name: "Boxes to Rotterdam", query: pair }]);
    expect(await found("antwerp")).toEqual([]);
  });

  it("shows visitors no saved searches, and keeps their search for after the sign-in", async () => {
    const page = await routes(`/routes?${pair}`, "");
    expect(page).toMatchObject({ signedIn: false, saved: [], toSave: { query: pair } });
  });
});

describe("The page of saved searches", () => {
  it("shows a rejected form again, with what was entered", async () => {
    const { problem } = await send({ intent: "save", name: "boxes to rotterdam", query: "q=reefer" });
    expect(problem?.message).toMatch(/^You already have a search named/);
    expect(problem?.values).toMatchObject({ name: "boxes to rotterdam", query: "q=reefer" });
  });

  it("rejects a query that is no search", async () => {
    const { problem } = await send({ intent: "save", name: "Anything", query: "next=https://example.com" });
    expect(problem?.message).toBe("Choose a port or a filter, or enter a word to search for");
  });

  it("returns to pages of this site only", async () => {
    const { location } = await send({ intent: "save", name: "Reefers", query: "q=reefer", back: "//example.com" });
    expect(location).toBe("/");
  });

  it("renames and deletes", async () => {
    const [{ id } = { id: 0 }] = await saved();
    await send({ intent: "rename", id: String(id), name: "Cold chain" });
    expect((await saved())[0]).toMatchObject({ id, name: "Cold chain", words: "Search: “reefer”" });
    await send({ intent: "delete", id: String(id) });
    expect((await saved()).map(({ name }) => name)).toEqual(["Boxes to Rotterdam"]);
  });

  it("needs a signed-in account", async () => {
    const response = await savedPage(incoming("/routes/saved", {}, "")).catch((thrown: unknown) => thrown);
    expect((response as Response).headers.get("Location")).toBe("/sign-in?next=%2Froutes%2Fsaved");
  });
});
