/** Sends to a real SMTP server on the loopback interface. */
import { asc } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { outboxMessages } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Mailer } from "./mailer.ts";
import { expired } from "./messages.ts";
import { enqueue, sendDueMail } from "./outbox.server.ts";
import { smtpMailer } from "./smtp.server.ts";

type MailServer = {
  port: number;
  /** Accepted messages with their headers. */
  taken: string[];
  /** How often to reject messages that contain the key, and with which status. */
  refusals: Map<string, { status: number; times: number }>;
  stop(): Promise<void>;
};

const startMailServer = async (port = 0): Promise<MailServer> => {
  const taken: string[] = [];
  const refusals: MailServer["refusals"] = new Map();
  const refusalOf = (source: string) => {
    const [, refusal] = [...refusals].find(([key, { times }]) => times > 0 && source.includes(key)) ?? [];
    if (!refusal) return null;
    refusal.times -= 1;
    return Object.assign(new Error("not now, reader@example.com"), { responseCode: refusal.status });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, _session, answer) => {
      let source = "";
      stream.on("data", (chunk: Buffer) => {
        source += chunk.toString("utf8");
      });
      stream.on("end", () => {
        const refusal = refusalOf(source);
        if (!refusal) taken.push(source);
        answer(refusal);
      });
    },
  });
  // A client that closes the connection is not a server error.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  const address = server.server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    taken,
    refusals,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

let world: World;
let accountId: number;
let server: MailServer;
const mailers: Mailer[] = [];
beforeAll(async () => {
  world = await createWorld();
  accountId = (await world.account("reader")).account.id;
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  await world.ctx.db.delete(outboxMessages);
  server = await startMailServer();
});
afterEach(async () => {
  await Promise.all(mailers.splice(0).map((mailer) => mailer.close()));
  await server.stop();
  world.complaints.length = 0;
});

const write = (subject: string) => {
  const message = { ...expired("http://localhost:3000", { routeName: "Ä route", endDate: "2026-11-20" }), subject };
  return enqueue(world.ctx.db, { ...message, dedupeKey: subject, accountId }, world.ctx.clock.now());
};
const rows = () => world.ctx.db.select().from(outboxMessages).orderBy(asc(outboxMessages.id));
/** A sender with its own connections, as another process would have. */
const sender = ({ requireTls = false } = {}) => {
  const smtpUrl = `smtp://127.0.0.1:${server.port}`;
  const mailer = smtpMailer({ smtpUrl, from: "Data <data@example.com>", requireTls });
  mailers.push(mailer);
  return { ...world.ctx, mailer };
};
const headerOf = (source: string, name: string) => new RegExp(`^${name}: (.*)$`, "mi").exec(source)?.[1]?.trim();
const subjects = () => server.taken.map((source) => headerOf(source, "Subject")).sort();

describe("Mail by SMTP", () => {
  it("is delivered once, as text and HTML, under its Message-ID", async () => {
    await write("Hello");
    const ctx = sender();
    expect(await sendDueMail(ctx)).toEqual({ sent: 1, failed: 0 });
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 0 });
    const [row] = await rows();
    const [source = ""] = server.taken;
    expect(server.taken).toHaveLength(1);
    expect(headerOf(source, "Message-ID")).toBe(`<outbox-${row?.id}.${row?.createdAt.getTime()}@localhost>`);
    expect(headerOf(source, "To")).toBe("reader@example.com");
    expect(headerOf(source, "From")).toBe("Data <data@example.com>");
    expect(headerOf(source, "Auto-Submitted")).toBe("auto-generated");
    expect(headerOf(source, "Content-Type")).toMatch(/^multipart\/alternative/);
    expect(source.match(/^Content-Type: text\/(plain|html); charset=utf-8/gm)).toHaveLength(2);
    expect(source.indexOf("text/plain")).toBeLessThan(source.indexOf("text/html"));
    expect(row?.sentAt).toEqual(world.ctx.clock.now());
  });

  it("stays in the outbox if encryption is required and the server does not offer it", async () => {
    await write("Secret");
    expect(await sendDueMail(sender({ requireTls: true }))).toEqual({ sent: 0, failed: 1 });
    expect(server.taken).toEqual([]);
    const [row] = await rows();
    expect([row?.sentAt, row?.lastError]).toEqual([null, expect.stringContaining("STARTTLS")]);
  });

  it("can be stopped by one click only if it has an address for that", async () => {
    await write("Plain");
    const about = { dedupeKey: "Alerts", accountId };
    const unsubscribe = { label: "Stop", url: "http://localhost:3000/alerts/stop/abc" };
    const message = {
      ...expired("http://localhost:3000", { routeName: "A route", endDate: "2026-11-20" }),
      unsubscribe,
    };
    await enqueue(world.ctx.db, { ...message, ...about }, world.ctx.clock.now());
    await sendDueMail(sender());
    expect(server.taken.map((source) => headerOf(source, "List-Unsubscribe"))).toEqual([
      undefined,
      "<http://localhost:3000/alerts/stop/abc>",
    ]);
    expect(server.taken.map((source) => headerOf(source, "List-Unsubscribe-Post"))).toEqual([
      undefined,
      "List-Unsubscribe=One-Click",
    ]);
  });

  it("is retried under the same Message-ID after a temporary rejection (4xx), and accepted once", async () => {
    await write("Put off");
    server.refusals.set("Put off", { status: 451, times: 2 });
    const ctx = sender();
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 1 });
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 0 });
    world.clock.set("2026-11-20T09:31:00Z");
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 1 });
    const [row] = await rows();
    expect(row).toMatchObject({ tries: 2, sentAt: null, dueAt: new Date("2026-11-20T09:33:00Z") });
    expect(row?.lastError).toContain("not now");
    expect(row?.lastError).not.toContain("reader@");
    world.clock.set("2026-11-20T09:33:00Z");
    expect(await sendDueMail(ctx)).toEqual({ sent: 1, failed: 0 });
    expect(server.taken.map((source) => headerOf(source, "Message-ID"))).toEqual([
      `<outbox-${row?.id}.${row?.createdAt.getTime()}@localhost>`,
    ]);
  });

  it("is sent once an unavailable mail server is back", async () => {
    const { port } = server;
    const ctx = sender();
    await server.stop();
    await write("Patience");
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 1 });
    expect((await rows())[0]).toMatchObject({ tries: 1, lastError: expect.stringContaining("ECONNREFUSED") });
    server = await startMailServer(port);
    expect(await sendDueMail(ctx)).toEqual({ sent: 0, failed: 0 });
    world.clock.set("2026-11-20T09:31:00Z");
    expect(await sendDueMail(ctx)).toEqual({ sent: 1, failed: 0 });
    expect(subjects()).toEqual(["Patience"]);
  });

  it("is not held up by another message that is rejected (5xx)", async () => {
    for (const subject of ["First", "Refused", "Last"]) await write(subject);
    server.refusals.set("Refused", { status: 550, times: 1 });
    expect(await sendDueMail(sender())).toEqual({ sent: 2, failed: 1 });
    expect(subjects()).toEqual(["First", "Last"]);
    expect((await rows()).map(({ sentAt }) => sentAt !== null)).toEqual([true, false, true]);
  });

  it("is given up after repeated permanent rejections (5xx), which is logged", async () => {
    await write("Never");
    server.refusals.set("Never", { status: 550, times: 99 });
    for (const minute of ["30", "31", "33"]) {
      world.clock.set(`2026-11-20T09:${minute}:00Z`);
      await sendDueMail(sender());
    }
    expect(await rows()).toMatchObject([{ tries: 3, sentAt: null, givenUpAt: world.ctx.clock.now() }]);
  });

  it("is never sent twice by concurrent processes, even with temporary rejections", async () => {
    const all = Array.from({ length: 60 }, (_, index) => `Message ${String(index).padStart(2, "0")}.`);
    for (const subject of all) await write(subject);
    for (const subject of all.slice(0, 5)) server.refusals.set(subject, { status: 421, times: 1 });
    const ctxs = [sender(), sender(), sender(), sender()];
    const sweep = async () => {
      const outcomes = await Promise.all(ctxs.map((ctx) => sendDueMail(ctx)));
      return {
        sent: outcomes.reduce((sum, { sent }) => sum + sent, 0),
        failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
      };
    };
    expect(await sweep()).toEqual({ sent: 55, failed: 5 });
    world.clock.set("2026-11-20T09:31:00Z");
    expect(await sweep()).toEqual({ sent: 5, failed: 0 });
    expect(subjects()).toEqual(all);
    expect(new Set(server.taken.map((source) => headerOf(source, "Message-ID"))).size).toBe(60);
  });
});
