import { asc } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { outboxMessages } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { type Mail, PermanentRejection } from "./mailer.ts";
import { expired, type Message } from "./messages.ts";
import { enqueue, listMailbox, readHtml, sendDueMail } from "./outbox.server.ts";

let world: World;
let accountId: number;
beforeAll(async () => {
  world = await createWorld();
  accountId = (await world.account("reader")).account.id;
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  await world.ctx.db.delete(outboxMessages);
  world.complaints.length = 0;
});

const about = (subject: string): Message => ({
  ...expired("http://localhost:3000", { routeName: "A route", endDate: "2026-11-20" }),
  subject,
});
const write = (dedupeKey: string, holdsSecret = false) =>
  enqueue(world.ctx.db, { ...about(dedupeKey), dedupeKey, accountId, holdsSecret }, world.ctx.clock.now());
const rows = () => world.ctx.db.select().from(outboxMessages).orderBy(asc(outboxMessages.id));
const mailingTo = (send: (mail: Mail) => Promise<void>) => ({
  ...world.ctx,
  mailer: { delivers: true, send, close: async () => {} },
});

describe("The outbox", () => {
  it("stores one message per dedupe key, even under concurrent writes", async () => {
    const news = await Promise.all([1, 2, 3, 4].map(() => write("once")));
    expect(news.filter(Boolean)).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  it("drops messages of a transaction that is rolled back", async () => {
    await world.ctx.db
      .transaction(async (tx) => {
        await enqueue(tx, { ...about("undone"), dedupeKey: "undone", accountId }, world.ctx.clock.now());
        throw new Error("undone");
      })
      .catch(() => {});
    expect(await rows()).toEqual([]);
  });

  it("sends each message once, to the account's address, when several processes send", async () => {
    for (let index = 0; index < 50; index++) await write(`message-${index}`);
    const sent: Mail[] = [];
    const ctx = mailingTo(async (mail) => {
      sent.push(mail);
    });
    await Promise.all([1, 2, 3, 4].map(() => sendDueMail(ctx)));
    expect(new Set(sent.map(({ subject }) => subject)).size).toBe(50);
    expect(sent).toHaveLength(50);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(50);
    expect(sent[0]?.to).toBe("reader@example.com");
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 0 });
  });

  it("retries with backoff under the same Message-ID", async () => {
    await write("refused");
    const ids: string[] = [];
    const ctx = mailingTo(async ({ messageId }) => {
      ids.push(messageId);
      if (ids.length < 3) throw new Error("550 no such user reader@example.com");
    });
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 1 });
    expect((await rows())[0]).toMatchObject({ sentAt: null, tries: 1, lastError: "550 no such user …" });
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 0 });
    world.clock.set("2026-11-20T09:31:00Z");
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 1 });
    world.clock.set("2026-11-20T09:32:59Z");
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 0 });
    world.clock.set("2026-11-20T09:33:00Z");
    expect(await sendDueMail(ctx)).toEqual({ sent: 1, failed: 0 });
    expect(new Set(ids).size).toBe(1);
    expect(world.complaints).toHaveLength(2);
  });

  it("gives up after three days of failures or the third permanent rejection, and logs it", async () => {
    await write("unreachable");
    await write("no such user");
    const ctx = mailingTo(async ({ subject }) => {
      throw subject === "no such user" ? new PermanentRejection("550 no such user") : new Error("connection refused");
    });
    for (let tries = 0; tries < 30; tries++) {
      const next = (await rows()).filter(({ givenUpAt }) => givenUpAt === null).map(({ dueAt }) => dueAt.getTime());
      if (next.length === 0) break;
      world.clock.set(new Date(Math.min(...next)).toISOString());
      await sendDueMail(ctx);
    }
    expect((await rows()).map((row) => [row.subject, row.tries, row.givenUpAt?.toISOString()])).toEqual([
      ["unreachable", 20, "2026-11-23T06:01:00.000Z"],
      ["no such user", 3, "2026-11-20T09:33:00.000Z"],
    ]);
    world.clock.set("2026-12-20T09:30:00Z");
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 0 });
    expect(world.complaints.filter((line) => line === "A message was given up")).toHaveLength(2);
  });

  it("hands a message to another process after the claim has expired", async () => {
    await write("orphan");
    // Never resolves, as if the process were killed while sending.
    void sendDueMail(mailingTo(() => new Promise(() => {})));
    await expect.poll(async () => (await rows())[0]?.tries).toBe(1);
    expect(await sendDueMail(world.ctx)).toEqual({ sent: 0, failed: 0 });
    world.clock.set("2026-11-20T09:46:00Z");
    expect(await sendDueMail(world.ctx)).toEqual({ sent: 1, failed: 0 });
  });

  it("sends a message at once that was written by a process whose clock was ahead, and only once", async () => {
    world.clock.set("2026-11-20T11:30:00Z");
    await write("ahead");
    world.clock.set("2026-11-20T09:30:00Z");
    let sent = 0;
    const ctx = mailingTo(async () => {
      sent += 1;
    });
    await Promise.all([1, 2, 3].map(() => sendDueMail(ctx)));
    world.clock.set("2026-11-20T12:30:00Z");
    await sendDueMail(ctx);
    expect(sent).toBe(1);
  });

  it("stops sending before its claim expires", async () => {
    for (const key of ["one", "two", "three"]) await write(key);
    const slow = mailingTo(async () => world.clock.set("2026-11-20T09:43:00Z"));
    expect(await sendDueMail(slow)).toEqual({ sent: 1, failed: 0 });
    world.clock.set("2026-11-20T09:45:00Z");
    expect(await sendDueMail(world.ctx)).toEqual({ sent: 2, failed: 0 });
  });

  it("erases the text of a message that contains a secret after delivery", async () => {
    await write("secret", true);
    await write("ordinary");
    expect((await rows())[0]?.text).toContain("A route");
    await sendDueMail(mailingTo(async () => {}));
    expect(await rows()).toMatchObject([
      { subject: "secret", text: "", html: "" },
      { subject: "ordinary", text: expect.stringContaining("A route"), html: expect.stringContaining("A route") },
    ]);
  });

  it("lists its messages newest first for a service without a mail system", async () => {
    await write("first");
    await write("second");
    expect((await listMailbox(world.ctx, { secrets: true }))[0]).toMatchObject({ subject: "second", sentAt: null });
    await sendDueMail(world.ctx);
    expect(await listMailbox(world.ctx, { secrets: true })).toMatchObject([
      { to: "reader@example.com", subject: "second", sentAt: world.ctx.clock.now() },
      { subject: "first" },
    ]);
  });

  it("withholds secrets from readers who may not see them", async () => {
    await write("secret", true);
    await write("ordinary");
    const [ordinary, secret] = await listMailbox(world.ctx, { secrets: false });
    expect(ordinary).toMatchObject({ withheld: false, text: expect.stringContaining("A route") });
    expect(secret).toMatchObject({ withheld: true, subject: "secret", text: expect.stringMatching(/^Not shown/) });
    expect(await readHtml(world.ctx, secret?.id ?? 0, { secrets: false })).toBeNull();
    expect(await readHtml(world.ctx, ordinary?.id ?? 0, { secrets: false })).toContain("A route");
    expect(await readHtml(world.ctx, secret?.id ?? 0, { secrets: true })).toContain("A route");
  });
});
