import { afterAll, beforeAll, expect, it } from "vitest";
import { openPortalService } from "#app/testing/portal-service.ts";
import { action as change, loader as page } from "./account/data.tsx";
import { loader as calendar } from "./calendar.ts";

let portal: Awaited<ReturnType<typeof openPortalService>>;
beforeAll(async () => {
  portal = await openPortalService("planner");
});
afterAll(() => portal.close());

const site = "http://localhost:3000";
const headers = () => ({ Cookie: portal.cookie, Origin: site });
const argsFor = (request: Request, params = {}) => ({ request, params, context: {} }) as never;

const send = (intent: string) =>
  change(
    argsFor(
      new Request(`${site}/account/data`, {
        method: "POST",
        headers: headers(),
        body: new URLSearchParams({ intent }),
      }),
    ),
  );

/** As a calendar program asks: without a cookie. @returns the response, also a thrown one */
const read = (file: string): Promise<Response> =>
  calendar(argsFor(new Request(`${site}/calendar/${file}`), { file })).catch((thrown: unknown) => thrown as Response);

it("The renewal calendar is read at its address without signing in, until the address is revoked", async () => {
  const created = (await send("create-calendar")) as { result: { url: string } };
  const file = created.result.url.replace(`${site}/calendar/`, "");
  const response = await read(file);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/calendar; charset=utf-8"]);
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  expect(await response.text()).toContain("END:VCALENDAR");
  expect(await page(argsFor(new Request(`${site}/account/data`, { headers: headers() })))).toEqual({
    calendarSince: expect.any(String),
  });
  const revoked = await send("revoke-calendar").catch((thrown: unknown) => thrown as Response);
  expect((revoked as Response).headers.get("Location")).toBe("/account/data");
  expect((await read(file)).status).toBe(404);
});

it.each(["", "x.ics", `${"a".repeat(43)}.ics`, `${"a".repeat(43)}`, "%00.ics"])(
  "There is no calendar at the address %j",
  async (file) => {
    expect((await read(file)).status).toBe(404);
  },
);
