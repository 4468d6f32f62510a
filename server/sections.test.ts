import { describe, expect, it } from "vitest";
import type { Build } from "./build.ts";
import { perSection } from "./sections.ts";

const routes = {
  root: { id: "root", path: "" },
  home: { id: "home", parentId: "root", index: true },
  routes: { id: "routes", parentId: "root", path: "routes" },
  route: { id: "route", parentId: "root", path: "routes/:route_id" },
  catalogueCsv: { id: "catalogueCsv", parentId: "root", path: "routes.csv" },
  account: { id: "account", parentId: "root", path: "account" },
  profile: { id: "profile", parentId: "account", index: true },
  security: { id: "security", parentId: "account", path: "security" },
  exported: { id: "exported", parentId: "root", path: "account/export.json" },
  securityText: { id: "securityText", parentId: "root", path: ".well-known/security.txt" },
  any: { id: "any", parentId: "root", path: "*" },
};
const build = { routes, assets: { routes, entry: {} } } as unknown as Build;
const forAll = ["root", "home", "any"];
const all = Object.keys(routes);

/** The routes that a request for the address is compared with. */
const routesFor = (pathAndQuery: string) => {
  const part = perSection(build, (each) => each)(pathAndQuery);
  expect(Object.keys(part.assets.routes)).toEqual(Object.keys(part.routes));
  return Object.keys(part.routes);
};

describe("A request is compared with the routes of its section", () => {
  it.each([
    ["/", forAll],
    ["/?q=routes", forAll],
    ["/nothing/here", forAll],
    ["/routes", ["root", "home", "routes", "route", "any"]],
    ["/routes?view=map", ["root", "home", "routes", "route", "any"]],
    ["/ROUTES/12", ["root", "home", "routes", "route", "any"]],
    ["/routes.csv", ["root", "home", "catalogueCsv", "any"]],
    ["/account/security", ["root", "home", "account", "profile", "security", "exported", "any"]],
    ["/.well-known/security.txt", ["root", "home", "securityText", "any"]],
    ["/nothing/../routes", ["root", "home", "routes", "route", "any"]],
  ])("%s", (address, expected) => {
    expect(routesFor(address)).toEqual(expected);
  });

  it.each([
    ["/_root.data", "/"],
    ["/routes.data?_routes=root", "/routes"],
    ["/routes/12.data", "/routes/12"],
    ["/account.data", "/account"],
  ])("%s, the data of a page, as %s", (data, page) => {
    expect(routesFor(data)).toEqual(routesFor(page));
  });

  it.each(["/rou%74es", "//routes", "/routes;v=1", "http://elsewhere/routes"])(
    "%s, whose section is unclear, is compared with all",
    (address) => {
      expect(routesFor(address)).toEqual(all);
    },
  );
});

it("makes one handler for each section", () => {
  const made: string[][] = [];
  const handlerFor = perSection(build, ({ routes: part }) => made.push(Object.keys(part)));
  for (const path of ["/", "/unknown", "/also-unknown", "/routes", "/routes/12", "/routes.data"]) handlerFor(path);
  expect(made).toHaveLength(2);
});
