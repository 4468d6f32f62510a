import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { changeStreams, routes, subscriptions } from "#drizzle/schema/index.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { lockCatalogue } from "../catalogue/import.server.ts";
import { cursorAfter } from "./change.ts";
import { type ChangeStream, followChanges } from "./follow.server.ts";
import { maxStreams } from "./policy.ts";

const subscribed = "C-CNSHA-NLRTM-PEL9";
const foreign = "C-CNNGB-GBFXT-MRG9";

let world: World;
let caller: Caller;
let open: ChangeStream[];
let stop: AbortController;
beforeEach(async () => {
  world = await createWorld({ routeCodes: [subscribed, foreign] });
  ({ caller } = await world.account("follower"));
  await subscribe(world, caller, { periodId: periodOf(world, subscribed) });
  open = [];
  stop = new AbortController();
  return async () => {
    stop.abort();
    for (const stream of open) await stream.close();
    await world.close();
  };
});

const follow = async (request: { since?: string } = {}, identifyAgain = async (): Promise<Caller | null> => caller) => {
  const stream = await followChanges(world.ctx, caller, request, identifyAgain);
  open.push(stream);
  return stream;
};
const change = (distanceNm: number, code = subscribed) =>
  world.ctx.db.transaction(async (tx) => {
    await lockCatalogue(tx, { now: world.clock.now(), source: "operator" });
    await tx.update(routes).set({ distanceNm }).where(eq(routes.code, code));
  });
type Pages = ReturnType<ChangeStream["pages"]>;
/** The distances in the changes of a page. Undefined: the stream is over. */
const distancesIn = async (pages: Pages) => {
  const { value, done } = await pages.next();
  return done ? undefined : value.changes.map(({ after }) => after?.distance_nm);
};
/** The same for the next page that has any: a stream may wake without a change. */
const nextDistancesIn = async (pages: Pages) => {
  for (;;) {
    const distances = await distancesIn(pages);
    if (distances === undefined || distances.length > 0) return distances;
  }
};

describe("A stream", () => {
  it("has the changes that are committed after it was opened", async () => {
    await change(9_000);
    const pages = (await follow()).pages(stop.signal);
    expect(await distancesIn(pages)).toEqual([]);
    const next = nextDistancesIn(pages);
    await change(9_001);
    expect(await next).toEqual([9_001]);
  });

  it("does not miss what is committed between two pages", async () => {
    const pages = (await follow()).pages(stop.signal);
    expect(await distancesIn(pages)).toEqual([]);
    await change(9_001);
    await change(9_002);
    expect(await distancesIn(pages)).toEqual([9_001, 9_002]);
  });

  it("continues after a cursor", async () => {
    await change(9_001);
    await change(9_002);
    const first = (await follow({ since: cursorAfter(0) })).pages(stop.signal);
    const { value } = await first.next();
    const [one] = value?.changes ?? [];
    const again = (await follow({ since: cursorAfter(one?.id ?? 0) })).pages(stop.signal);
    expect(await distancesIn(again)).toEqual([9_002]);
  });

  it("reads the next page only when it is asked for", async () => {
    for (let distance = 9_001; distance <= 9_150; distance++) await change(distance);
    const pages = (await follow({ since: cursorAfter(0) })).pages(stop.signal);
    expect(await distancesIn(pages)).toHaveLength(100);
    await change(9_151);
    expect(await distancesIn(pages)).toHaveLength(51);
  });

  it("wakes for changes of other routes, and moves on past them", async () => {
    const pages = (await follow()).pages(stop.signal);
    const { value: first } = await pages.next();
    await change(9_001, foreign);
    for (let after = first?.after ?? 0; after <= (first?.after ?? 0); ) {
      const { value } = await pages.next();
      expect(value?.changes).toEqual([]);
      after = value?.after ?? 0;
    }
  });

  it("ends when the service stops, while it waits", async () => {
    const pages = (await follow()).pages(stop.signal);
    await pages.next();
    const next = nextDistancesIn(pages);
    stop.abort();
    expect(await next).toBeUndefined();
  });
});

describe("A stream ends", () => {
  const endOf = async (request: Promise<ChangeStream>, act: () => Promise<unknown>) => {
    const pages = (await request).pages(stop.signal);
    expect(await distancesIn(pages)).toEqual([]);
    await act();
    await change(9_001);
    return nextDistancesIn(pages);
  };

  it("when its credentials are revoked, without the changes since", async () => {
    let known: Caller | null = caller;
    const stream = follow({}, async () => known);
    expect(
      await endOf(stream, async () => {
        known = null;
      }),
    ).toBeUndefined();
  });

  it("when the account is suspended", async () => {
    let known = caller;
    const stream = follow({}, async () => known);
    const suspend = async () => {
      known = { ...caller, account: { ...caller.account, standing: "suspended" } };
    };
    expect(await endOf(stream, suspend)).toBeUndefined();
  });

  it("when a subscription ends", async () => {
    const end = () => world.ctx.db.update(subscriptions).set({ endDate: "2026-11-20", startDate: "2026-10-20" });
    expect(await endOf(follow(), end)).toBeUndefined();
    await expect(follow()).rejects.toMatchObject({ code: "forbidden" });
  });

  it("when its slot has expired and was taken by another connection", async () => {
    const first = (await follow()).pages(stop.signal);
    await first.next();
    for (let i = 1; i < maxStreams; i++) await follow();
    world.deviceClock.set("2026-11-20T09:31:01Z");
    await follow();
    await change(9_001);
    expect(await nextDistancesIn(first)).toBeUndefined();
  });
});

describe("An account", () => {
  it("has a limited number of connections, also when they are opened at once", async () => {
    const opened = await Promise.allSettled(Array.from({ length: maxStreams + 3 }, () => follow()));
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(maxStreams);
    await expect(follow()).rejects.toMatchObject({
      code: "rate_limited",
      message: "Too many requests - Rate limit exceeded",
      fields: [
        {
          path: "connections",
          message: `An account may follow changes over ${maxStreams} connections. Close one first`,
        },
      ],
    });
    await open.pop()?.close();
    await follow();
  });

  it("leaves no slot behind", async () => {
    await (await follow()).close();
    expect(await world.ctx.db.$count(changeStreams)).toBe(0);
  });

  it("without a subscription cannot connect", async () => {
    ({ caller } = await world.account("stranger"));
    await expect(follow()).rejects.toMatchObject({ code: "forbidden" });
  });
});
