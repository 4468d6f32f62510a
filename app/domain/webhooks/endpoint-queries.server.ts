/** What holders see and change: endpoints, and the delivery log. */
import { and, arrayOverlaps, asc, desc, eq, gte, isNull, lt, sql } from "drizzle-orm";
import {
  accounts,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookMessages,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { DeliveryAttempt, DeliveryFilter, WebhookEndpoint } from "./endpoint.ts";
import type { WebhookEventType } from "./events.ts";

const endpointColumns = {
  id: webhookEndpoints.id,
  url: webhookEndpoints.url,
  description: webhookEndpoints.description,
  eventTypes: webhookEndpoints.eventTypes,
  createdAt: webhookEndpoints.createdAt,
  disabledAt: webhookEndpoints.disabledAt,
  disabledBecause: webhookEndpoints.disabledBecause,
  failingSince: webhookEndpoints.failingSince,
  previousSecretUntil: webhookEndpoints.previousSecretUntil,
};

const own = (accountId: number, id: number) =>
  and(eq(webhookEndpoints.accountId, accountId), eq(webhookEndpoints.id, id));

export const listEndpoints = (db: Tx, accountId: number): Promise<WebhookEndpoint[]> =>
  db
    .select(endpointColumns)
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.accountId, accountId))
    .orderBy(asc(webhookEndpoints.id));

export const countEndpoints = (tx: Tx, accountId: number): Promise<number> =>
  tx.$count(webhookEndpoints, eq(webhookEndpoints.accountId, accountId));

export const findEndpoint = async (db: Tx, accountId: number, id: number): Promise<WebhookEndpoint | null> => {
  const [row] = await db.select(endpointColumns).from(webhookEndpoints).where(own(accountId, id));
  return row ?? null;
};

export const insertEndpoint = async (tx: Tx, row: typeof webhookEndpoints.$inferInsert): Promise<WebhookEndpoint> => {
  const [created] = await tx.insert(webhookEndpoints).values(row).returning(endpointColumns);
  if (!created) throw new Error("The insert returned no endpoint");
  return created;
};

/** Null if the account has no such endpoint. */
export const updateEndpoint = async (
  tx: Tx,
  accountId: number,
  id: number,
  set: Partial<typeof webhookEndpoints.$inferInsert>,
): Promise<WebhookEndpoint | null> => {
  const [changed] = await tx.update(webhookEndpoints).set(set).where(own(accountId, id)).returning(endpointColumns);
  return changed ?? null;
};

/** The stored secret moves aside, and signs until `previousUntil`. Null if the account has no such endpoint. */
export const rotateSecret = async (
  tx: Tx,
  accountId: number,
  id: number,
  { sealedSecret, previousUntil }: { sealedSecret: Uint8Array; previousUntil: Date },
): Promise<WebhookEndpoint | null> =>
  updateEndpoint(tx, accountId, id, {
    sealedSecret,
    previousSealedSecret: sql`${webhookEndpoints.sealedSecret}` as never,
    previousSecretUntil: previousUntil,
  });

/** Deletes an endpoint with its deliveries. Null if the account has no such endpoint. */
export const deleteEndpoint = async (tx: Tx, accountId: number, id: number): Promise<{ url: string } | null> => {
  const [deleted] = await tx
    .delete(webhookEndpoints)
    .where(own(accountId, id))
    .returning({ url: webhookEndpoints.url });
  return deleted ?? null;
};

/** By id. */
export const accountsSubscribedTo = (db: Tx, types: readonly WebhookEventType[]) =>
  db
    .selectDistinct({ id: accounts.id, standing: accounts.standing })
    .from(webhookEndpoints)
    .innerJoin(accounts, eq(accounts.id, webhookEndpoints.accountId))
    .where(
      and(
        isNull(webhookEndpoints.disabledAt),
        isNull(accounts.closedAt),
        eq(accounts.standing, "good"),
        arrayOverlaps(webhookEndpoints.eventTypes, [...types]),
      ),
    )
    .orderBy(asc(accounts.id));

/** Everything of an account that is being closed. */
export const deleteAll = async (tx: Tx, accountId: number): Promise<void> => {
  await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.accountId, accountId));
  await tx.delete(webhookMessages).where(eq(webhookMessages.accountId, accountId));
};

/** A message for one endpoint, whatever it subscribes to. @returns the id of the delivery */
export const insertForEndpoint = async (
  tx: Tx,
  endpointId: number,
  message: typeof webhookMessages.$inferInsert,
): Promise<number> => {
  const [stored] = await tx.insert(webhookMessages).values(message).returning({ id: webhookMessages.id });
  if (!stored) throw new Error("The insert returned no message");
  const { createdAt } = message;
  const [queued] = await tx
    .insert(webhookDeliveries)
    .values({ messageId: stored.id, endpointId, dueAt: createdAt, createdAt })
    .returning({ id: webhookDeliveries.id });
  if (!queued) throw new Error("The insert returned no delivery");
  return queued.id;
};

const ownDelivery = (accountId: number, endpointId: number) =>
  and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookEndpoints.accountId, accountId));

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number];

/** Newest first, each with its last attempt. */
export const listDeliveries = (
  db: Tx,
  accountId: number,
  endpointId: number,
  filter: DeliveryFilter & { id?: number; before: number | null; limit: number },
) => {
  const last = db
    .select({
      attemptedAt: webhookAttempts.attemptedAt,
      durationMs: webhookAttempts.durationMs,
      responseStatus: webhookAttempts.responseStatus,
      responseExcerpt: webhookAttempts.responseExcerpt,
      error: webhookAttempts.error,
    })
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, webhookDeliveries.id))
    .orderBy(desc(webhookAttempts.id))
    .limit(1)
    .as("last");
  return db
    .select({
      id: webhookDeliveries.id,
      publicId: webhookMessages.publicId,
      type: webhookMessages.type,
      payload: webhookMessages.payload,
      status: webhookDeliveries.status,
      dueAt: webhookDeliveries.dueAt,
      createdAt: webhookDeliveries.createdAt,
      attemptedAt: last.attemptedAt,
      durationMs: last.durationMs,
      responseStatus: last.responseStatus,
      responseExcerpt: last.responseExcerpt,
      error: last.error,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookDeliveries.messageId))
    .leftJoinLateral(last, sql`true`)
    .where(
      and(
        ownDelivery(accountId, endpointId),
        filter.id === undefined ? undefined : eq(webhookDeliveries.id, filter.id),
        filter.before === null ? undefined : lt(webhookDeliveries.id, filter.before),
        filter.status && eq(webhookDeliveries.status, filter.status),
        filter.event_type && eq(webhookMessages.type, filter.event_type),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(filter.limit);
};

/** Newest first. */
export const listAttempts = (db: Tx, deliveryId: number): Promise<DeliveryAttempt[]> =>
  db
    .select({
      attemptedAt: webhookAttempts.attemptedAt,
      durationMs: webhookAttempts.durationMs,
      responseStatus: webhookAttempts.responseStatus,
      responseExcerpt: webhookAttempts.responseExcerpt,
      error: webhookAttempts.error,
    })
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, deliveryId))
    .orderBy(desc(webhookAttempts.id));

/** Makes deliveries of an endpoint due now, with all their attempts. @returns how many */
export const makeDue = async (
  tx: Tx,
  endpointId: number,
  which: { id: number } | { failedSince: Date },
  now: Date,
): Promise<number> => {
  const condition =
    "id" in which
      ? eq(webhookDeliveries.id, which.id)
      : and(eq(webhookDeliveries.status, "failed"), gte(webhookDeliveries.createdAt, which.failedSince));
  const due = await tx
    .update(webhookDeliveries)
    .set({ status: "pending", dueAt: now, tries: 0 })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), condition))
    .returning({ id: webhookDeliveries.id });
  return due.length;
};
