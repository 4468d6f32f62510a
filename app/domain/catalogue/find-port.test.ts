import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/world.ts";
import { findPort } from "./find-port.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe("A port", () => {
  it.each([
    ["CNSHA", "CNSHA"],
    [" cnsha ", "CNSHA"],
    ["Shanghai", "CNSHA"],
    ["Shanghai (CNSHA)", "CNSHA"],
    ["rotterdam netherlands", "NLRTM"],
  ])("is found by %j", async (text, code) => {
    expect(await findPort(world.ctx, "origin", text)).toMatchObject({ unlocode: code });
  });

  it("is found by its other codes", async () => {
    const shanghai = await findPort(world.ctx, "origin", "CNSHA");
    expect(await findPort(world.ctx, "origin", shanghai.altUnlocodes[0] ?? "")).toEqual(shanghai);
  });

  it.each([
    ["XXXXX", "No port has the code XXXXX"],
    ["Atlantis", "No port found for “Atlantis”"],
    ["China", /^Several ports match “China”, such as .+ \(CN\w{3}\), .+\. Enter one of these codes$/],
    ["", "Enter a port name or UN/LOCODE"],
    ["–", "Enter a port name or UN/LOCODE"],
  ])("is not found by %j", async (text, message) => {
    await expect(findPort(world.ctx, "origin", text)).rejects.toMatchObject({
      fields: [{ path: "origin", message: message instanceof RegExp ? expect.stringMatching(message) : message }],
    });
  });
});
