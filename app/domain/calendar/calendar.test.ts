import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLog } from "#drizzle/schema/index.ts";
import { subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { lastDayOf } from "../dates.ts";
import { cancelSubscription } from "../subscriptions/manage.server.ts";
import {
  calendarFeedOf,
  createCalendarFeed,
  deleteCalendarFeed,
  readCalendarFeed,
  revokeCalendarFeed,
} from "./feed.server.ts";
import { icalOf } from "./ical.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** The secret in a feed's address. */
const secretOf = (url: string): string => /\/calendar\/([\w-]{43})\.ics$/.exec(url)?.[1] ?? "";

const unfolded = (calendar: string | null): string[] => (calendar ?? "").replaceAll("\r\n ", "").split("\r\n");

describe("A renewal calendar", () => {
  it("shows the next charge of a subscription, or its end if it does not renew", async () => {
    const { caller } = await world.account();
    const renewing = await subscribe(world, caller);
    const { url } = await createCalendarFeed(world.ctx, caller);
    const before = unfolded(await readCalendarFeed(world.ctx, secretOf(url)));
    expect(before.slice(0, 2)).toEqual(["BEGIN:VCALENDAR", "VERSION:2.0"]);
    expect(before).toContain(`DTSTART;VALUE=DATE:${renewing.nextCharge?.date.replaceAll("-", "")}`);
    expect(before).toContain("DTSTAMP:20261120T093000Z");
    expect(before).toContainEqual(
      expect.stringMatching(/^SUMMARY:Renewal: Ningbo-Zhoushan – Felixstowe\\, USD [\d\\,]+\.\d\d$/),
    );
    await cancelSubscription(world.ctx, caller, { id: renewing.id });
    const after = unfolded(await readCalendarFeed(world.ctx, secretOf(url)));
    expect(after).toContain(`DTSTART;VALUE=DATE:${lastDayOf(renewing.endDate).replaceAll("-", "")}`);
    expect(after).toContain("SUMMARY:Last day with access: Ningbo-Zhoushan – Felixstowe");
    expect(after.filter((line) => line === "BEGIN:VEVENT")).toHaveLength(1);
  });

  it("has one address, which replacing and revoking it disable", async () => {
    const { account, caller } = await world.account();
    expect(await calendarFeedOf(world.ctx, caller)).toBeNull();
    const first = secretOf((await createCalendarFeed(world.ctx, caller)).url);
    const second = secretOf((await createCalendarFeed(world.ctx, caller)).url);
    expect(await readCalendarFeed(world.ctx, first)).toBeNull();
    expect(await readCalendarFeed(world.ctx, second)).toContain("BEGIN:VCALENDAR");
    await revokeCalendarFeed(world.ctx, caller);
    await revokeCalendarFeed(world.ctx, caller);
    expect(await readCalendarFeed(world.ctx, second)).toBeNull();
    const log = await world.ctx.db.select().from(auditLog);
    expect(log.filter(({ accountId }) => accountId === account.id).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["calendar_feed.created", "calendar_feed.created", "calendar_feed.revoked"]),
    );
  });

  it("ends with the account", async () => {
    const { account, caller } = await world.account();
    const secret = secretOf((await createCalendarFeed(world.ctx, caller)).url);
    await world.ctx.db.transaction((tx) => deleteCalendarFeed(tx, account.id));
    expect(await readCalendarFeed(world.ctx, secret)).toBeNull();
  });
});

describe("An iCalendar file", () => {
  const event = { uid: "1@localhost", day: "2026-11-20", summary: "", description: "", url: "http://localhost" };

  it("escapes separators and line breaks, so that a name cannot add a line", () => {
    const summary = "A; B, C\\D\r\nSUMMARY:E\nF";
    const lines = icalOf("x", [{ ...event, summary }], new Date("2026-11-20T09:30:00Z")).split("\r\n");
    expect(lines).toContain("SUMMARY:A\\; B\\, C\\\\D\\nSUMMARY:E\\nF");
  });

  it("has lines of at most 75 bytes, split between characters", () => {
    const summary = "Qingdao 青岛 – Hamburg ".repeat(20);
    const text = icalOf("x", [{ ...event, summary }], new Date("2026-11-20T09:30:00Z"));
    expect(Math.max(...text.split("\r\n").map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    expect(unfolded(text)).toContain(`SUMMARY:${summary}`);
    expect(text.endsWith("END:VCALENDAR\r\n")).toBe(true);
  });
});
