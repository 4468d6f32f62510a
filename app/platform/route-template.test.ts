import { expect, test } from "vitest";
import { routeTemplates } from "./route-template.ts";

const templateOf = routeTemplates({
  root: { path: "" },
  home: { parentId: "root", index: true },
  usage: { parentId: "root", path: "usage" },
  docs: { parentId: "root", path: "docs" },
  guide: { parentId: "docs", path: ":guide" },
  reference: { parentId: "docs", path: "reference" },
  route: { parentId: "root", path: "routes/:route_id" },
  saved: { parentId: "root", path: "routes/saved" },
  chart: { parentId: "root", path: "routes/:route_id/charts/:file" },
  notFound: { parentId: "root", path: "api/*" },
  keys: { parentId: "root", path: "api/api-keys/:api_key_id/status" },
});

test.each([
  ["/", "/"],
  ["/?from=mail", "/"],
  ["/_root.data", "/"],
  ["/usage.data?period=days", "/usage"],
  ["/docs", "/docs"],
  ["/docs/reference", "/docs/reference"],
  ["/docs/keys/", "/docs/{guide}"],
  ["/routes/saved", "/routes/saved"],
  ["/routes/109?tab=rates", "/routes/{route_id}"],
  ["/routes/saved/charts/rates.svg", "/routes/{route_id}/charts/{file}"],
  ["/api/api-keys/7/status", "/api/api-keys/{api_key_id}/status"],
  ["/api/api-keys/7", "/api/{rest}"],
  ["/wp-login.php", "/{unknown}"],
  ["/routes/109/else", "/{unknown}"],
])("the template of %s is %s", (target, template) => {
  expect(templateOf(target)).toBe(template);
});
