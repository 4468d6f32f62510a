import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { outboxMessages } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { expired } from "../notifications/messages.ts";
import { enqueue, sendDueMail } from "../notifications/outbox.server.ts";
import { countMail, giveUpMail, listMail, retryMail } from "./mail.server.ts";

let world: World;
let operator: OperatorCaller;
let accountId: number;
beforeAll(async () => {
  world = await createWorld();
  operator = await world.operator();
  accountId = (await world.account("reader")).account.id;
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  await world.ctx.db.delete(outboxMessages);
});

const write = async (subject: string) => {
  const about = expired("http://localhost:3000", { routeName: "A route", endDate: "2026-11-20" });
  await enqueue(world.ctx.db, { ...about, subject, dedupeKey: subject, accountId }, world.ctx.clock.now());
};
const failing = () => ({
  ...world.ctx,
  mailer: { delivers: true, send: () => Promise.reject(new Error("greylisted")), close: async () => {} },
});
const list = async (state: "waiting" | "given_up" | "sent") =>
  (await listMail(world.ctx, operator, { state }, { limit: 10 })).rows;

describe("The outbox for operators", () => {
  it("lists waiting messages with their errors, oldest first, and sent ones, newest first, without text", async () => {
    for (const subject of ["sent first", "sent last"]) await write(subject);
    await sendDueMail(world.ctx);
    for (const subject of ["one", "two"]) await write(subject);
    await sendDueMail(failing());
    world.clock.set("2026-11-20T09:31:00Z");
    await write("three");
    expect((await list("waiting")).map(({ subject, tries, lastError }) => [subject, tries, lastError])).toEqual([
      ["one", 1, "greylisted"],
      ["two", 1, "greylisted"],
      ["three", 0, null],
    ]);
    expect((await list("sent")).map(({ subject }) => subject)).toEqual(["sent last", "sent first"]);
    expect(Object.keys((await list("waiting"))[0] ?? {})).not.toContain("text");
    expect(await countMail(world.ctx, operator)).toEqual({
      waiting: 3,
      failing: 2,
      oldest: new Date("2026-11-20T09:30:00Z"),
      givenUp: 0,
    });
    const page = await listMail(world.ctx, operator, { state: "waiting" }, { limit: 2 });
    const cursor = page.nextCursor ?? "";
    const next = await listMail(world.ctx, operator, { state: "waiting" }, { limit: 2, cursor });
    expect(next.rows.map(({ subject }) => subject)).toEqual(["three"]);
  });

  it("gives up a message and retries it", async () => {
    await write("one");
    await sendDueMail(failing());
    const id = (await list("waiting"))[0]?.id ?? 0;
    await giveUpMail(world.ctx, operator, { id });
    expect(await list("waiting")).toEqual([]);
    expect(await list("given_up")).toMatchObject([{ id, givenUpAt: world.clock.now() }]);
    await expect(giveUpMail(world.ctx, operator, { id })).rejects.toMatchObject({ code: "not_found" });
    world.clock.set("2026-11-21T09:30:00Z");
    expect(await sendDueMail(world.ctx)).toEqual({ sent: 0, failed: 0 });

    await retryMail(world.ctx, operator, { id });
    expect(await sendDueMail(world.ctx)).toEqual({ sent: 1, failed: 0 });
    await expect(retryMail(world.ctx, operator, { id })).rejects.toMatchObject({ code: "not_found" });
  });

  it("retries a message before its backoff has ended", async () => {
    await write("one");
    await sendDueMail(failing());
    expect(await sendDueMail(world.ctx)).toEqual({ sent: 0, failed: 0 });
    await retryMail(world.ctx, operator, { id: (await list("waiting"))[0]?.id ?? 0 });
    expect(await sendDueMail(world.ctx)).toEqual({ sent: 1, failed: 0 });
  });
});
