/**
 * Property tests: thousands of requests generated from the API's description. Every response matches the document,
 * rate-limit headers included (`call` checks that), and none is a 5xx.
 */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import fc from "#app/testing/property-testing.ts";
import { accounts } from "#drizzle/schema/index.ts";
import { openSession } from "../domain/accounts/session.server.ts";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { type CallOptions, call, type Reply } from "../testing/api-client.ts";
import { document, validatorAt } from "../testing/openapi-check.ts";
import { bodySchemaOf, type Known, type MadeUp, oddRequest, validRequest } from "../testing/openapi-requests.ts";
import { createWorld, payWith, type World } from "../testing/world.ts";
import { contracts } from "./contracts/all.ts";
import type { Contract } from "./endpoint.ts";

const runs = { valid: Number(process.env.PROPERTY_RUNS ?? 40), odd: Number(process.env.PROPERTY_RUNS ?? 110) };

let world: World;
let opened: Awaited<ReturnType<World["account"]>>;
let token: string;
let key: { secret: string; user: string };
let newKey: () => ReturnType<typeof issueKey>;
let sent = 0;
const known: Known = {};

beforeAll(async () => {
  world = await createWorld();
  opened = await world.account("enterprise");
  await world.ctx.db.update(accounts).set({ plan: "enterprise" }).where(eq(accounts.id, opened.account.id));
  token = await freshToken();
  newKey = () => issueKey(world.ctx, opened.caller, { api_key_name: "tests", user: "enterprise" });
  Object.assign(known, await knownValues([(await newKey()).id, (await newKey()).id]));
});
afterAll(() => world.close());
// A generated request may have deleted the previous record.
beforeEach(async () => {
  const { secret, user } = await newKey();
  key = { secret, user };
});

const freshToken = async () =>
  (await openSession(world.ctx, opened.account, "bearer", { ipAddress: null, userAgent: null })).token;

/** One subscribed route, one paid order that is not confirmed, one unpaid order. */
const knownValues = async (keyIds: number[]): Promise<Known> => {
  const periods = world.routes.map(({ periods }) => periods[0]?.id).filter((id) => id !== undefined);
  const order = async (period_id: number | undefined) =>
    (
      await call(world, "POST", "/subscriptions/create-payment-intent", {
        token,
        body: { period_id, subscription_term: "3_months" },
      })
    ).body;
  const bought = await order(periods[0]);
  await payWith(world, { id: bought.payment_intent_id, clientSecret: bought.client_secret });
  const confirmation = { token, body: { payment_intent_id: bought.payment_intent_id } };
  const { body } = await call(world, "POST", "/subscriptions/payment-success", confirmation);
  const paid = await order(periods[1]);
  await payWith(world, { id: paid.payment_intent_id, clientSecret: paid.client_secret });
  const unpaid = await order(periods[1]);
  const routes = world.routes.map(({ id }) => id);
  const subscriptions = body.subscriptions.map(({ id }: { id: number }) => id);
  return {
    id: [...routes, ...subscriptions],
    route_id: routes,
    period_id: periods,
    api_key_id: keyIds,
    subscription_id: subscriptions,
    payment_intent_id: [bought, paid, unpaid].map(({ payment_intent_id }) => payment_intent_id),
    origin: ["CNSHA", "CNNGB"],
    destination: ["NLRTM"],
    email: ["enterprise@example.com"],
    password: ["correct horse battery"],
  };
};

const operationOf = (contract: Contract) => {
  const operation = document.paths?.[contract.path]?.[contract.method.toLowerCase() as "get"];
  if (!operation) throw new Error(`The document lacks ${contract.method} ${contract.path}`);
  return operation;
};

const revokesItsToken = ({ path }: Contract) => path === "/auth/refresh" || path === "/auth/logout";

const credentialsFor = async (contract: Contract, choice: MadeUp["credentials"]): Promise<CallOptions> => {
  if (contract.access === "public" || choice === "none") return {};
  if (choice === "wrong") {
    if (contract.access === "bearer_or_key") return { key: { ...key, user: "somebody-else" } };
    return contract.access === "key" ? { token } : { key };
  }
  if (contract.access === "key") return { key };
  return { token: revokesItsToken(contract) ? await freshToken() : token };
};

const send = async (contract: Contract, request: MadeUp): Promise<Reply> => {
  world.ctx.rateLimiter = memoryRateLimiter();
  sent += 1;
  const reply = await call(world, contract.method, request.path, {
    ...(await credentialsFor(contract, request.credentials)),
    ...(request.body === undefined ? {} : { body: request.body }),
    headers: request.headers,
  });
  expect(reply.status, `${reply.text}\n${world.complaints.join("\n")}`).toBeLessThan(500);
  return reply;
};

const form = [400, 405, 413, 415];

describe.each(contracts.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
  "%s",
  (_, contract) => {
    const operation = operationOf(contract);
    const maker = { document, known };

    it("accepts every request that its description allows", async () => {
      await fc.assert(
        fc.asyncProperty(validRequest(maker, contract.path, operation), async (request) => {
          const { status, text } = await send(contract, request);
          expect(form, text).not.toContain(status);
          if (contract.access !== "public") expect(status).not.toBe(401);
        }),
        { numRuns: runs.valid },
      );
    }, 60_000);

    it("answers anything else with a documented error, and accepts no forbidden body", async () => {
      const isAllowed = bodySchemaOf(operation)
        ? validatorAt([
            ...["paths", contract.path, contract.method.toLowerCase()],
            ...["requestBody", "content", "application/json", "schema"],
          ])
        : () => true;
      await fc.assert(
        fc.asyncProperty(oddRequest(maker, contract.path, operation), async (request) => {
          const { status, text } = await send(contract, request);
          if (status < 300) expect(isAllowed(asSent(request.body)), text).toBe(true);
        }),
        { numRuns: runs.odd },
      );
    }, 60_000);
  },
);

/** A string is sent as it is, and may be JSON; decoders skip a byte order mark. */
const asSent = (body: unknown): unknown => {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
};

it("leaves no error in the log after thousands of requests", () => {
  expect(sent).toBeGreaterThan(runs.odd * contracts.length);
  expect(world.complaints).toEqual([]);
});
