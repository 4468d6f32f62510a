/** OWASP API5:2023: the functions of operators do not exist for others, whatever the method and the credentials. */
import type { RouteConfigEntry } from "@remix-run/route-config";
import { beforeAll, describe, expect, inject, it } from "vitest";
import routes from "#app/routes.ts";
import { liveApi } from "../../testing/live-api.ts";

const { send, register, signIn } = liveApi(inject("services").server);

const pathsOf = (entry: RouteConfigEntry, above = ""): string[] => {
  const path = entry.path === undefined ? above : `${above}/${entry.path}`;
  return [path, ...(entry.children ?? []).flatMap((child) => pathsOf(child, path))];
};
const paths = [...new Set(routes.flatMap((entry) => pathsOf(entry)))]
  .filter((path) => path === "/operations" || path.startsWith("/operations/"))
  .map((path) => path.replace(/:kind/g, "routes").replace(/:\w+/g, "1"));

let member: Awaited<ReturnType<typeof register>>;
let cookie: string;
beforeAll(async () => {
  member = await register();
  cookie = await signIn(member);
});

it("There are functions of operators to test", () => {
  expect(paths.length).toBeGreaterThan(20);
});

/** Takes uploads only: it has no page. */
const upload = "/operations/import/upload";

it("An upload does not exist for members", async () => {
  const body = [
    ...["--x", 'Content-Disposition: form-data; name="kind"', "", "ports"],
    ...["--x", 'Content-Disposition: form-data; name="file"; filename="ports.csv"', "", "unlocode", "--x--", ""],
  ].join("\r\n");
  const headers = { "Content-Type": "multipart/form-data; boundary=x" };
  for (const path of [upload, "/operations/import"]) {
    expect([path, (await send("POST", path, { cookie, body, headers })).status]).toEqual([path, 404]);
  }
  expect((await send("GET", upload, { cookie })).status).toBe(400);
});

describe.each(paths.filter((path) => path !== upload))("%s", (path) => {
  it("does not exist for members, as a page, as data and as a form", async () => {
    expect((await send("GET", path, { cookie })).status).toBe(404);
    // Without an intent it is the page's first form. A page without forms is a 405.
    for (const form of [
      { reason: "because", plan: "enterprise" },
      { intent: "suspend", reason: "because" },
    ]) {
      const { status } = await send("POST", path, { cookie, form });
      expect([form, "intent" in form ? [400, 404, 405] : [404, 405]]).toEqual([form, expect.arrayContaining([status])]);
    }
    expect((await send("GET", path, { cookie: "", token: member.token })).status).not.toBe(200);
  });

  it("asks visitors to sign in", async () => {
    const { status, headers } = await send("GET", path);
    expect([status, headers.get("location")?.startsWith("/sign-in")]).toEqual([302, true]);
  });
});

it("The API has no functions of operators", async () => {
  for (const path of ["/api/operations", "/api/accounts", "/api/accounts/1", "/api/admin", "/api/internal"]) {
    expect((await send("GET", path, { token: member.token })).status).toBe(404);
  }
});
