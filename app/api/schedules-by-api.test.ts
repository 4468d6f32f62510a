import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts } from "#drizzle/schema/index.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { call } from "../testing/api-client.ts";
import { periodOf, subscribe } from "../testing/purchases.ts";
import { createWorld, type World } from "../testing/world.ts";

let world: World;
let token: string;
/** Two routes with an active subscription, one without. */
beforeAll(async () => {
  world = await createWorld({
    routeCodes: ["C-CNSHA-NLRTM-PEL9", "C-CNNGB-GBFXT-MRG9", "B-AUPHE-CNTAO-GRN9", "C-SGSIN-DEHAM-COR9"],
  });
  const account = await world.account("forwarder");
  token = account.token;
  for (const code of ["C-CNSHA-NLRTM-PEL9", "B-AUPHE-CNTAO-GRN9"]) {
    await subscribe(world, account.caller, { periodId: periodOf(world, code) });
  }
});
afterAll(() => world.close());

/** With a fresh limiter: the clock stands still, so that all requests fall into one second. */
const get = (query = "", options: Parameters<typeof call>[3] = { token }) => {
  world.ctx.rateLimiter = memoryRateLimiter();
  return call(world, "GET", `/route-access/schedules${query}`, options);
};
const schedulesOf = async (query: string) => (await get(query)).body.schedules;

describe("The schedules of subscribed routes", () => {
  it("carry DCSA's names, and the time of the port with its offset", async () => {
    const [schedule] = await schedulesOf("?origin=CNSHA&limit=1");
    expect(schedule).toMatchObject({
      route_code: "C-CNSHA-NLRTM-PEL9",
      route_name: "Shanghai – Rotterdam",
      status: "scheduled",
      service_level: "standard",
      etd: "2026-11-21T20:00:00.000Z",
      eta: "2026-12-25T20:00:00.000Z",
      placeOfReceipt: {
        facilityTypeCode: "POTE",
        location: { locationName: "Shanghai", UNLocationCode: "CNSHA", facility: { facilityCodeListProvider: "SMDG" } },
        dateTime: "2026-11-22T04:00:00+08:00",
      },
      placeOfDelivery: { location: { UNLocationCode: "NLRTM" }, dateTime: "2026-12-25T21:00:00+01:00" },
      receiptTypeAtOrigin: "CY",
      deliveryTypeAtDestination: "CY",
      transitTime: 34,
      cutOffTimes: [
        { cutOffDateTimeCode: "DCO", cutOffDateTime: "2026-11-19T16:00:00+08:00" },
        { cutOffDateTimeCode: "VCO", cutOffDateTime: "2026-11-20T22:00:00+08:00" },
        { cutOffDateTimeCode: "FCO", cutOffDateTime: "2026-11-21T04:00:00+08:00" },
      ],
      legs: [
        {
          sequenceNumber: 1,
          transport: {
            modeOfTransport: "VESSEL",
            servicePartners: [{ carrierCode: "PEL9", carrierExportVoyageNumber: "2647W" }],
            vessel: { vesselIMONumber: expect.stringMatching(/^\d{7}$/), name: expect.stringMatching(/^Pelorin /) },
          },
          departure: { dateTime: "2026-11-22T04:00:00+08:00" },
          arrival: { location: { UNLocationCode: "SGSIN" } },
        },
        { sequenceNumber: 2, departure: { location: { UNLocationCode: "SGSIN" } } },
      ],
    });
    expect(schedule.routingReference).toMatch(/^C-CNSHA-NLRTM-PEL9\/PE\d\d\/2647W$/);
  });

  it("cover every subscribed route and no other, soonest first", async () => {
    const schedules: { route_code: string; etd: string }[] = await schedulesOf("?limit=100");
    expect(new Set(schedules.map(({ route_code }) => route_code))).toEqual(
      new Set(["C-CNSHA-NLRTM-PEL9", "B-AUPHE-CNTAO-GRN9"]),
    );
    expect(schedules.map(({ etd }) => etd)).toEqual(schedules.map(({ etd }) => etd).sort());
  });

  it("state only the cut-offs of the cargo", async () => {
    const [bulk] = await schedulesOf("?origin=AUPHE&limit=1");
    expect(bulk.cutOffTimes.map(({ cutOffDateTimeCode: code }: { cutOffDateTimeCode: string }) => code)).toEqual([
      "DCO",
    ]);
    expect(bulk.receiptTypeAtOrigin).toBeNull();
  });

  it("are the same page by page as at once", async () => {
    const whole = await schedulesOf("?limit=100");
    const seen: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null && seen.length < 200; ) {
      const { body } = await get(`?limit=4${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.schedules);
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(whole);
  });

  it.each([
    ["origin=CNSGH", "an alternate code of the origin", true],
    ["origin=cnsha&destination=NLRTM", "both ports", true],
    ["destination=GBFXT", "a port of a route without subscription", false],
    ["departure_from=2026-11-22&departure_to=2026-11-22", "the day in the port", true],
    ["departure_from=2026-11-21T20:00:00Z&departure_to=2026-11-21T20:00:00Z", "the instant", true],
    ["departure_to=2026-11-21", "an earlier day", false],
  ])("are found by %s: %s", async (query, _, found) => {
    const codes = (await schedulesOf(`?${query}`)).map(({ route_code }: { route_code: string }) => route_code);
    expect(codes.includes("C-CNSHA-NLRTM-PEL9")).toBe(found);
    expect(codes).not.toContain("C-CNNGB-GBFXT-MRG9");
  });

  it.each([
    ["departure_from=soon", "departure_from"],
    ["departure_from=2026-11-20&departure_to=2027-02-19", "departure_to"],
    ["departure_from=2026-11-20&departure_to=2026-11-19", "departure_to"],
    ["origin=SHANGHAI", "origin"],
    ["limit=101", "limit"],
    ["cursor=x", "cursor"],
  ])("are rejected for %s", async (query, path) => {
    const { status, body } = await get(`?${query}`);
    expect([status, body.errors[0].path]).toEqual([422, path]);
  });

  it("answer 304 to the ETag that was sent, and only for that content", async () => {
    const etag = (await get()).headers.ETag ?? "";
    expect((await get("", { token, headers: { "If-None-Match": etag } })).status).toBe(304);
    expect((await get("?limit=1", { token, headers: { "If-None-Match": etag } })).status).toBe(200);
  });
});

describe("Without access", () => {
  it("an account without subscriptions gets an empty list", async () => {
    const other = await world.account("browser");
    const { status, body } = await get("", { token: other.token });
    expect([status, body]).toEqual([200, { schedules: [], next_cursor: null }]);
  });

  it("a suspended account gets a 403", async () => {
    const suspended = await world.account("suspended");
    await subscribe(world, suspended.caller);
    await world.ctx.db.update(accounts).set({ standing: "suspended" }).where(eq(accounts.id, suspended.account.id));
    expect((await get("", { token: suspended.token })).status).toBe(403);
  });

  it("a request without a token gets a 401", async () => {
    expect((await get("", {})).status).toBe(401);
  });
});

it("A route's data names the same departures, by the day in the port, and the transhipment port", async () => {
  const [schedule] = await schedulesOf("?origin=CNSHA&limit=1");
  world.ctx.rateLimiter = memoryRateLimiter();
  const { body } = await call(world, "GET", `/route-access/routes-data?id=${schedule.route_id}&limit=1`, { token });
  expect(body.transhipment_ports).toEqual([{ unlocode: "SGSIN", name: "Singapore" }]);
  const departures: Record<string, string>[] = body.departures;
  expect(departures.find(({ service_level }) => service_level === "standard")).toEqual({
    departs_on: "2026-11-22",
    arrives_on: "2026-12-25",
    service_level: "standard",
    service_code: schedule.legs[0].transport.servicePartners[0].carrierServiceCode,
    voyage: "2647W",
    vessel: schedule.legs[0].transport.vessel.name,
    etd: schedule.placeOfReceipt.dateTime,
  });
});

it("The list is empty once the subscriptions have ended", async () => {
  world.clock.set("2026-12-21T09:30:00Z");
  const body = { email: "forwarder@example.com", password: "correct horse battery" };
  const { access_token } = (await call(world, "POST", "/auth/login", { body })).body;
  expect((await get("", { token: access_token })).body.schedules).toEqual([]);
});
