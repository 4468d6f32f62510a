import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/world.ts";
import { allActivity } from "../accounts/activity.server.ts";
import type { Caller, OperatorCaller } from "../accounts/caller.ts";
import { validate } from "../input.ts";
import { listMailbox } from "../notifications/outbox.server.ts";
import { answer, closeAsOperator, findRequests, readRequest } from "./answer.server.ts";
import { closeRequest, getConversation, listRequests, openRequest, reply } from "./ask.server.ts";
import { pendingPlanRequest, requestPlan } from "./plan-request.server.ts";
import { maxUnclosedRequests, type NewRequest, newRequest } from "./request.ts";
import type { RequestFilter } from "./request-filter.ts";

let world: World;
let caller: Caller;
beforeAll(async () => {
  world = await createWorld({ routeCodes: [] });
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  ({ caller } = await world.account());
});

const question = (change: Partial<NewRequest> = {}): NewRequest => ({
  topic: "technical",
  subject: "403 on my route",
  message: "Since this morning.",
  reference: "",
  ...change,
});
/** Moves past the burst limit, which is per second. */
const aSecondLater = () => world.clock.set(new Date(world.clock.now().getTime() + 1_000).toISOString());

describe("Asking for support", () => {
  it("stores the request with its reference", async () => {
    const { id } = await openRequest(world.ctx, caller, question({ reference: "Request ID 7f3c" }));
    const { request, messages } = await getConversation(world.ctx, caller, { id });
    expect(request).toMatchObject({ topic: "technical", status: "open", subject: "403 on my route" });
    expect(messages).toMatchObject([
      { byOperator: false, author: caller.account.username, body: "Since this morning.\n\nReference: Request ID 7f3c" },
    ]);
    expect((await allActivity(world.ctx, caller)).slice(0, 1)).toMatchObject([
      { action: "support_request.opened", actor: "holder", details: { support_request_id: id, topic: "technical" } },
    ]);
  });

  it("hides the request from other accounts", async () => {
    const { id } = await openRequest(world.ctx, caller, question());
    const { caller: other } = await world.account();
    const absent = { code: "not_found", message: "Support request not found" };
    await expect(getConversation(world.ctx, other, { id })).rejects.toMatchObject(absent);
    await expect(reply(world.ctx, other, { id, message: "Me too" })).rejects.toMatchObject(absent);
    await expect(closeRequest(world.ctx, other, { id })).rejects.toMatchObject(absent);
    expect(await listRequests(world.ctx, other)).toEqual([]);
  });

  it("can be closed by the account holder, and a reply reopens it", async () => {
    const { id } = await openRequest(world.ctx, caller, question());
    await closeRequest(world.ctx, caller, { id });
    await closeRequest(world.ctx, caller, { id });
    expect(await listRequests(world.ctx, caller, { status: "closed" })).toMatchObject([{ id, status: "closed" }]);
    aSecondLater();
    await reply(world.ctx, caller, { id, message: "It is back." });
    const { request, messages } = await getConversation(world.ctx, caller, { id });
    expect(request).toMatchObject({ status: "open", updatedAt: world.clock.now() });
    expect(messages.map(({ body }) => body)).toEqual(["Since this morning.", "It is back."]);
    const acts = (await allActivity(world.ctx, caller)).slice(0, 3);
    expect(acts.map(({ action }) => action)).toEqual([
      "support_request.reopened",
      "support_request.closed",
      "support_request.opened",
    ]);
  });

  it("allows at most ten requests that are not closed, even concurrently", async () => {
    for (let i = 1; i < maxUnclosedRequests; i++) {
      await openRequest(world.ctx, caller, question());
      aSecondLater();
    }
    const both = await Promise.allSettled([
      openRequest(world.ctx, caller, question()),
      openRequest(world.ctx, caller, question()),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((each) => each.status === "rejected")).toMatchObject({
      reason: { code: "conflict", message: expect.stringMatching(/^You have 10 requests that are not closed/) },
    });
    const [first] = await listRequests(world.ctx, caller);
    await closeRequest(world.ctx, caller, { id: first?.id ?? 0 });
    aSecondLater();
    await openRequest(world.ctx, caller, question());
    aSecondLater();
    await expect(reply(world.ctx, caller, { id: first?.id ?? 0, message: "Again" })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("is rate limited", async () => {
    const { id } = await openRequest(world.ctx, caller, question());
    for (let i = 1; i < 30; i++) {
      aSecondLater();
      await reply(world.ctx, caller, { id, message: `Line ${i}` });
    }
    aSecondLater();
    await expect(reply(world.ctx, caller, { id, message: "One more" })).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: expect.any(Number),
    });
  });

  it.each([
    ["topic", { topic: "gossip" }, "Choose a topic"],
    ["subject", { subject: " x " }, "Enter a subject of at least 3 characters"],
    ["subject", { subject: "x".repeat(121) }, "At most 120 characters"],
    ["message", { message: " \r\n " }, "Enter a message"],
    ["message", { message: "x".repeat(5001) }, "At most 5,000 characters"],
    ["reference", { reference: "x".repeat(121) }, "At most 120 characters"],
  ])("rejects an invalid %s", (path, change, message) => {
    expect(() => validate(newRequest, { ...question(), ...change })).toThrow(
      expect.objectContaining({ code: "invalid", fields: [{ path, message }] }),
    );
  });

  it("normalises line ends", () => {
    expect(validate(newRequest, question({ message: "One\r\ntwo\r\n" })).message).toBe("One\ntwo");
  });
});

describe("Requesting another plan", () => {
  it("opens a support request, one at a time", async () => {
    expect(await pendingPlanRequest(world.ctx, caller)).toBeNull();
    const wish = { requested_plan: "professional" as const, message: "We call 3,000 times an hour." };
    const { id } = await requestPlan(world.ctx, caller, wish);
    expect(await pendingPlanRequest(world.ctx, caller)).toMatchObject({
      id,
      topic: "plan",
      requestedPlan: "professional",
      subject: "From the free to the professional plan",
    });
    const again = { code: "conflict", message: expect.stringMatching(/^You have already requested another plan/) };
    await expect(requestPlan(world.ctx, caller, wish)).rejects.toMatchObject(again);
    await expect(openRequest(world.ctx, caller, question({ topic: "plan" }))).rejects.toMatchObject(again);

    await closeRequest(world.ctx, caller, { id });
    expect(await pendingPlanRequest(world.ctx, caller)).toBeNull();
    const next = await requestPlan(world.ctx, caller, { ...wish, requested_plan: "enterprise" });
    aSecondLater();
    await expect(reply(world.ctx, caller, { id, message: "After all" })).rejects.toMatchObject(again);
    expect(await pendingPlanRequest(world.ctx, caller)).toMatchObject({ id: next.id });
  });

  it("opens one request when made twice at the same time", async () => {
    const wish = { requested_plan: "enterprise" as const, message: "Please." };
    const both = await Promise.allSettled([
      requestPlan(world.ctx, caller, wish),
      requestPlan(world.ctx, caller, wish),
      requestPlan(world.ctx, caller, wish),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await listRequests(world.ctx, caller)).toHaveLength(1);
    for (const each of both) {
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "conflict" });
    }
  });

  it("is rejected for the current plan", async () => {
    const wish = { requested_plan: "free" as const, message: "Please." };
    await expect(requestPlan(world.ctx, caller, wish)).rejects.toMatchObject({ code: "conflict" });
    const enterprise = { ...caller, account: { ...caller.account, plan: "enterprise" as const } };
    await requestPlan(world.ctx, enterprise, { ...wish, requested_plan: "enterprise" });
    expect(await pendingPlanRequest(world.ctx, caller)).toMatchObject({ subject: "Other limits" });
  });
});

describe("Answering support", () => {
  const read = async (id: number) => readRequest(world.ctx, operator, { id });
  const answerTo = async (id: number, change: Partial<Parameters<typeof answer>[2]> = {}) => {
    const lastMessageId = (await read(id)).messages.at(-1)?.id ?? 0;
    const words = { id, message: "It works again.\n\nSorry for that.", lastMessageId, close: false };
    return answer(world.ctx, operator, { ...words, ...change });
  };
  const mailTo = async ({ account }: Caller, about: string) =>
    (await listMailbox(world.ctx, { secrets: false })).filter(
      ({ to, subject }) => to === account.email && subject.includes(about),
    );
  let operator: OperatorCaller;
  beforeAll(async () => {
    operator = await world.operator();
  });

  it("mails each message to every operator once", async () => {
    const second = await world.operator();
    const { id } = await openRequest(world.ctx, caller, question());
    await reply(world.ctx, caller, { id, message: "Are you there?" });
    for (const each of [operator, second]) {
      const mails = await mailTo(each, `Support request ${id}:`);
      expect(mails.map(({ text }) => text)).toEqual([
        expect.stringContaining("Are you there?"),
        expect.stringContaining(`/operations/support/${id}`),
      ]);
    }
  });

  it("e-mails the text of the reply to the account holder, who can reply too", async () => {
    const { id } = await openRequest(world.ctx, caller, question());
    await answerTo(id);
    const { request, messages } = await getConversation(world.ctx, caller, { id });
    expect(request.status).toBe("answered");
    expect(messages.at(-1)).toMatchObject({ byOperator: true, body: "It works again.\n\nSorry for that." });
    const [mail, ...more] = await mailTo(caller, `Answer to your support request ${id}`);
    expect(more).toEqual([]);
    expect(mail?.text).toContain("It works again.\n\nSorry for that.\n\n");
    expect(mail?.text).toContain(`/support/${id}`);
    expect((await allActivity(world.ctx, caller)).slice(0, 1)).toMatchObject([
      { action: "support_request.answered", actor: "operator" },
    ]);
    await reply(world.ctx, caller, { id, message: "Not yet." });
    expect((await read(id)).request.status).toBe("open");
  });

  it("closes with or without a reply and notifies the account holder", async () => {
    const { id: first } = await openRequest(world.ctx, caller, question());
    const { id: second } = await openRequest(world.ctx, caller, question());
    await answerTo(first, { close: true });
    const lastMessageId = (await read(second)).messages.at(-1)?.id ?? 0;
    await closeAsOperator(world.ctx, operator, { id: second, lastMessageId });
    await closeAsOperator(world.ctx, operator, { id: second, lastMessageId });
    expect(await listRequests(world.ctx, caller, { status: "closed" })).toHaveLength(2);
    const [answered] = await mailTo(caller, `Answer to your support request ${first}`);
    expect(answered?.text).toContain("We have closed this request. Reply to reopen it.");
    expect(await mailTo(caller, `Your support request ${second} is closed`)).toHaveLength(1);
  });

  it("is rejected if the operator has not seen the latest message", async () => {
    const { id } = await openRequest(world.ctx, caller, question());
    const lastMessageId = (await read(id)).messages.at(-1)?.id ?? 0;
    const both = await Promise.allSettled([answerTo(id, { lastMessageId }), answerTo(id, { lastMessageId })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "conflict", message: expect.stringContaining("written in the meantime") },
    });
    expect((await read(id)).messages).toHaveLength(2);
  });

  it("rejects closing if the operator has not seen the latest message", async () => {
    const { id } = await openRequest(world.ctx, caller, question());
    const lastMessageId = (await read(id)).messages.at(-1)?.id ?? 0;
    await reply(world.ctx, caller, { id, message: "It is worse now." });
    await expect(closeAsOperator(world.ctx, operator, { id, lastMessageId })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("written in the meantime"),
    });
    const { request, messages } = await read(id);
    expect(request.status).toBe("open");
    await closeAsOperator(world.ctx, operator, { id, lastMessageId: messages.at(-1)?.id ?? 0 });
    expect((await read(id)).request.status).toBe("closed");
  });

  it("lists the longest waiting request first, whatever its reminders, and pages without gaps", async () => {
    const { caller: asker } = await world.account();
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push((await openRequest(world.ctx, asker, question({ subject: `Queue ${i}` }))).id);
      aSecondLater();
    }
    await reply(world.ctx, asker, { id: ids[0] ?? 0, message: "A reminder." });
    await answerTo(ids[1] ?? 0);
    aSecondLater();
    await answerTo(ids[3] ?? 0);
    const found: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await findRequests(world.ctx, operator, { q: "queue" }, { limit: 2, cursor });
      found.push(...page.rows.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual([ids[0], ids[2], ids[4], ids[3], ids[1]]);
  });

  it("finds requests by status, topic, text, name and number", async () => {
    const { id } = await openRequest(
      world.ctx,
      caller,
      question({ topic: "billing", message: "A 100% wrong_invoice" }),
    );
    const find = async (filter: RequestFilter) =>
      (await findRequests(world.ctx, operator, filter, { limit: 50 })).rows.map((row) => row.id);
    expect(await find({ q: "100% WRONG_inv", topic: "billing", status: "open" })).toEqual([id]);
    expect(await find({ q: caller.account.email, topic: "billing" })).toEqual([id]);
    expect(await find({ q: String(id) })).toContain(id);
    expect(await find({ q: "100% WRONG_inv", status: "closed" })).toEqual([]);
    expect(await find({ q: "100x wrong" })).toEqual([]);
  });

  it("shows the account with the request, and rejects unknown requests", async () => {
    const { id } = await openRequest(world.ctx, caller, question());
    expect((await read(id)).account).toMatchObject({ email: caller.account.email, plan: "free", standing: "good" });
    const absent = { code: "not_found" };
    await expect(read(999_999)).rejects.toMatchObject(absent);
    await expect(answerTo(id, { id: 999_999 })).rejects.toMatchObject(absent);
    await expect(closeAsOperator(world.ctx, operator, { id: 999_999, lastMessageId: 0 })).rejects.toMatchObject(absent);
  });
});
