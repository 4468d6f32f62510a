/** The delivery log: reading it, sending again, test events, and how long it is kept. */
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict, notFound } from "../errors.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import * as deliveryQueries from "./delivery-queries.server.ts";
import { type Delivery, type DeliveryDetails, type DeliveryFilter, deliveryCursor } from "./endpoint.ts";
import * as queries from "./endpoint-queries.server.ts";
import { payloadOf } from "./events.ts";
import { getEndpoint } from "./manage.server.ts";
import { retentionDays } from "./policy.ts";
import { messageIdOf } from "./send.server.ts";

type World = Pick<Context, "db" | "clock">;

/** Newest first. @throws not_found for the endpoint, invalid for a cursor of another list */
export const listDeliveries = async (
  ctx: Pick<Context, "db">,
  caller: Caller,
  endpointId: number,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<Delivery>> => {
  await getEndpoint(ctx, caller, { id: endpointId });
  const [before] = deliveryCursor.read(page.cursor) ?? [null];
  const limit = page.limit + 1;
  const rows = await queries.listDeliveries(ctx.db, caller.account.id, endpointId, { ...filter, before, limit });
  return pageOf(rows.map(deliveryOf), page.limit, (last) => deliveryCursor.write([last.id]));
};

/** A delivery with its payload and all attempts, newest first. @throws not_found */
export const getDelivery = async (
  ctx: Pick<Context, "db">,
  caller: Caller,
  { endpointId, id }: { endpointId: number; id: number },
): Promise<DeliveryDetails> => {
  const only = { id, before: null, limit: 1 };
  const [row] = await queries.listDeliveries(ctx.db, caller.account.id, endpointId, only);
  if (!row) throw notFound("Delivery");
  return { ...deliveryOf(row), payload: row.payload, attempts: await queries.listAttempts(ctx.db, id) };
};

/**
 * Sends a delivery again, with the same `webhook-id` and payload.
 *
 * @throws not_found
 * @throws conflict while the endpoint is disabled
 */
export const replayDelivery = async (
  ctx: World,
  caller: Caller,
  { endpointId, id }: { endpointId: number; id: number },
): Promise<DeliveryDetails> => {
  await getDelivery(ctx, caller, { endpointId, id });
  await makeDue(ctx, caller, endpointId, { id });
  return getDelivery(ctx, caller, { endpointId, id });
};

/**
 * Sends again what failed, of the events since then.
 *
 * @returns how many deliveries
 * @throws not_found
 * @throws conflict while the endpoint is disabled
 */
export const replayFailed = (
  ctx: World,
  caller: Caller,
  { endpointId, since }: { endpointId: number; since: Date },
): Promise<number> => makeDue(ctx, caller, endpointId, { failedSince: since });

const makeDue = async (
  ctx: World,
  caller: Caller,
  endpointId: number,
  which: Parameters<typeof queries.makeDue>[2],
): Promise<number> => {
  await requireEnabled(ctx, caller, endpointId);
  return ctx.db.transaction(async (tx) => {
    const due = await queries.makeDue(tx, endpointId, which, ctx.clock.now());
    if (due > 0) await deliveryQueries.announceDue(tx);
    return due;
  });
};

/**
 * Sends a test event to an endpoint.
 *
 * @throws not_found
 * @throws conflict while the endpoint is disabled
 */
export const sendTestEvent = async (
  ctx: World & Pick<Context, "random">,
  caller: Caller,
  { endpointId }: { endpointId: number },
): Promise<DeliveryDetails> => {
  await requireEnabled(ctx, caller, endpointId);
  const { id: accountId } = caller.account;
  const createdAt = ctx.clock.now();
  const type = "endpoint.test";
  const key = Buffer.from(ctx.random.bytes(16)).toString("hex");
  const data = { endpoint_id: endpointId, message: "It works" };
  const message = {
    accountId,
    type,
    key,
    payload: payloadOf({ accountId, type, key, data, at: createdAt }),
    createdAt,
  };
  const id = await ctx.db.transaction(async (tx) => {
    const delivery = await queries.insertForEndpoint(tx, endpointId, { ...message, type });
    await deliveryQueries.announceDue(tx);
    return delivery;
  });
  return getDelivery(ctx, caller, { endpointId, id });
};

const requireEnabled = async (ctx: World, caller: Caller, id: number): Promise<void> => {
  const { disabledAt } = await getEndpoint(ctx, caller, { id });
  if (disabledAt !== null) throw conflict("The endpoint is disabled. Enable it first");
};

const deletedAtOnce = 1_000;

/** Deletes messages older than `retentionDays`, with their deliveries. @returns how many messages */
export const deleteOldMessages = async (ctx: World, signal?: AbortSignal): Promise<number> => {
  const before = new Date(ctx.clock.now().getTime() - retentionDays * 86_400_000);
  let total = 0;
  for (let deleted = deletedAtOnce; deleted === deletedAtOnce && !signal?.aborted; ) {
    deleted = await deliveryQueries.deleteMessagesBefore(ctx.db, before, deletedAtOnce);
    total += deleted;
  }
  return total;
};

const deliveryOf = (row: queries.DeliveryRow): Delivery => ({
  id: row.id,
  messageId: messageIdOf(row.publicId),
  type: row.type,
  status: row.status,
  nextAttemptAt: row.status === "pending" ? row.dueAt : null,
  createdAt: row.createdAt,
  lastAttempt:
    row.attemptedAt === null || row.durationMs === null
      ? null
      : {
          attemptedAt: row.attemptedAt,
          durationMs: row.durationMs,
          responseStatus: row.responseStatus,
          responseExcerpt: row.responseExcerpt,
          error: row.error,
        },
});
