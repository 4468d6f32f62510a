import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { maxSavedSearches } from "./policy.ts";
import { deleteSavedSearch, listSavedSearches, renameSearch, saveSearch } from "./saved-searches.server.ts";

let world: World;
let caller: Caller;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  ({ caller } = await world.account());
});
afterAll(() => world.close());

const save = (name: string, query: string) => saveSearch(world.ctx, caller, { name, query });
const names = async () => (await listSavedSearches(world.ctx, caller)).map(({ name }) => name);
const idOf = async (name: string) =>
  (await listSavedSearches(world.ctx, caller)).find((search) => search.name === name)?.id ?? 0;

describe("Saved searches", () => {
  it("are listed newest first", async () => {
    await save("Reefers", "q=reefer");
    await save("From Shanghai", "origin=CNSHA");
    expect(await listSavedSearches(world.ctx, caller)).toMatchObject([
      { name: "From Shanghai", query: "origin=CNSHA", createdAt: world.clock.now() },
      { name: "Reefers", query: "q=reefer" },
    ]);
  });

  it("belong to their account alone", async () => {
    await save("Reefers", "q=reefer");
    const id = await idOf("Reefers");
    const { caller: stranger } = await world.account();
    expect(await listSavedSearches(world.ctx, stranger)).toEqual([]);
    await expect(deleteSavedSearch(world.ctx, stranger, { id })).rejects.toMatchObject({ code: "not_found" });
    await expect(renameSearch(world.ctx, stranger, { id, name: "Mine" })).rejects.toMatchObject({ code: "not_found" });
    expect(await names()).toEqual(["Reefers"]);
    await saveSearch(world.ctx, stranger, { name: "Reefers", query: "q=reefer" });
  });

  it("can be renamed and deleted", async () => {
    await save("Reefers", "q=reefer");
    const id = await idOf("Reefers");
    await renameSearch(world.ctx, caller, { id, name: "REEFERS" });
    expect(await names()).toEqual(["REEFERS"]);
    await deleteSavedSearch(world.ctx, caller, { id });
    expect(await names()).toEqual([]);
    await expect(deleteSavedSearch(world.ctx, caller, { id })).rejects.toMatchObject({ code: "not_found" });
  });

  it("have different names, whatever their case", async () => {
    await save("Reefers", "q=reefer");
    await save("Bulk", "cargo_type=bulk");
    const taken = { code: "invalid", fields: [{ path: "name" }] };
    await expect(save("reefers", "origin=CNSHA")).rejects.toMatchObject(taken);
    const rename = renameSearch(world.ctx, caller, { id: await idOf("Bulk"), name: "REEFERS" });
    await expect(rename).rejects.toMatchObject(taken);
  });

  it("are saved once: the refusal names the saved one", async () => {
    await save("Reefers", "q=reefer");
    await expect(save("Cold", "q=reefer")).rejects.toMatchObject({
      code: "conflict",
      message: "You have already saved this search as “Reefers”",
    });
  });

  it("need a port, a filter or words, and have a limited length", async () => {
    await expect(save("All", "")).rejects.toMatchObject({ code: "invalid" });
    await expect(save("Long", `q=${"x".repeat(1_000)}`)).rejects.toMatchObject({ code: "invalid" });
  });

  it("have a maximum, which concurrent requests do not exceed", async () => {
    for (let i = 1; i < maxSavedSearches; i++) await save(`Search ${i}`, `q=port${i}`);
    const results = await Promise.allSettled([save("One", "q=one"), save("Two", "q=two")]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await names()).toHaveLength(maxSavedSearches);
    await expect(save("Three", "q=three")).rejects.toMatchObject({
      code: "conflict",
      message: "You have 50 saved searches, which is the maximum. Delete one to save another",
    });
  });
});
