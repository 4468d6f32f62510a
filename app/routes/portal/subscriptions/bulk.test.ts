/** The page that asks for confirmation before an act on several subscriptions. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { payWith } from "#app/testing/world.ts";
import { action, loader } from "./bulk.tsx";

let portal: Awaited<ReturnType<typeof openPortalService>>;
let id: number;
beforeAll(async () => {
  portal = await openPortalService("bulk");
  const { ctx, testMode } = portal.service;
  if (!testMode) throw new Error("The simulator is missing");
  const items = [{ periodId: portal.periodId, term: "1_month" as const }];
  const order = await checkout(ctx, portal.caller, { items, autoRenew: true });
  await payWith(testMode, order.intent);
  const [bought] = await confirmPayment(ctx, portal.caller, { paymentIntentId: order.intent.id });
  id = bought?.id ?? 0;
});
afterAll(() => portal.close());

const address = (query: string) => `http://localhost:3000/subscriptions/bulk?${query}`;
const orResponse = async <Result>(work: Promise<Result>) => {
  try {
    return await work;
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    return { status: thrown.status, to: thrown.headers.get("Location") };
  }
};
const open = (query: string) =>
  orResponse(
    loader({
      request: new Request(address(query), { headers: { Cookie: portal.cookie } }),
      params: {},
      context: {},
    } as never),
  );
const send = (query: string, fields: Record<string, string>) =>
  orResponse(
    action({
      request: new Request(address(query), {
        method: "POST",
        headers: { Cookie: portal.cookie },
        body: new URLSearchParams(fields),
      }),
      params: {},
      context: {},
    } as never),
  );

it("says what each action would do, and keeps the list's filter", async () => {
  const renewal = await open(`act=renew&id=${id}&id=${id}&term=3_months&status=active`);
  expect(renewal).toMatchObject({
    possible: [{ id, effect: { kind: "renewed", term: "3_months" } }],
    refused: [],
    back: `/subscriptions?act=renew&status=active&id=${id}`,
  });
  expect(await open(`act=cancel&id=${id}`)).toMatchObject({ possible: [{ effect: { kind: "ends" } }] });
  expect(await open(`act=auto_renew_off&id=${id}`)).toMatchObject({ possible: [{ effect: { kind: "ends" } }] });
  expect(await open(`act=auto_renew_on&id=${id}`)).toMatchObject({
    possible: [],
    refused: [{ id, reason: "Auto-renewal is already on" }],
  });
});

it("shows an empty selection, and is not found for another account's subscription", async () => {
  expect(await open("act=cancel")).toMatchObject({ possible: [], refused: [] });
  expect(await open("act=cancel&id=abc")).toMatchObject({ possible: [], refused: [] });
  for (const act of ["cancel", "renew"]) expect(await open(`act=${act}&id=999999`)).toMatchObject({ status: 404 });
  expect(await send("", { intent: "cancel", ids: "999999" })).toMatchObject({ status: 404 });
});

it("creates one payment for renewals, and runs the other actions", async () => {
  expect(await send("", { intent: "renew", ids: String(id), term: "" })).toMatchObject({
    status: 302,
    to: expect.stringMatching(/^\/checkout\/\d+$/),
  });
  expect(await send("", { intent: "cancel", ids: String(id) })).toEqual({ status: 302, to: "/subscriptions" });
  expect(await open(`act=cancel&id=${id}`)).toMatchObject({
    refused: [{ reason: "The subscription is already cancelled" }],
  });
});
