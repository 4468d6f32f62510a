import { batch } from "../../platform/batch.server.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { usageBatchSize } from "../../platform/metrics/metrics.ts";
import { accountWantsQuotaAlerts } from "../accounts/quota-alerts.server.ts";
import type { RecalledKey } from "../api-keys/recalled-key.ts";
import type { Context } from "../context.ts";
import { quotaReached } from "../notifications/messages.ts";
import { enqueue, type NewMail } from "../notifications/outbox.server.ts";
import type { Verdict } from "../rate-limit/limiter.ts";
import { quotaReachedBy } from "../rate-limit/policy.ts";
import { enqueueWebhookEvents } from "../webhooks/enqueue.server.ts";
import type { NewWebhookEvent } from "../webhooks/events.ts";
import { updateLog } from "./log-queries.server.ts";
import { insertRecords } from "./record-queries.server.ts";
import type { UsageRecord } from "./usage-record.ts";

const observeSize = usageBatchSize.at({});

type World = Pick<Context, "db"> & { settings: Pick<Context["settings"], "appUrl"> };

/**
 * Writes a request to the log and the totals, and resolves once that is committed, so that no answered request is missing
 * from the log. Group commit: requests that finish during a write share the next one.
 *
 * @param verdict how the request counted against the quota; the request that reaches a share of it causes a webhook event, and a
 *   mail if the account holder wants it
 * @param recalled the key, if the request has not read it itself
 * @returns false if the key, its account or its entitlement is no longer as recalled. Nothing is written then
 */
export const recordUsage = (
  ctx: World,
  record: UsageRecord,
  verdict: Verdict | null = null,
  recalled: RecalledKey | null = null,
): Promise<boolean> => writerOf(ctx.db)({ record, quota: verdict && quotaOf(record, verdict, ctx.settings), recalled });

type Item = { record: UsageRecord; quota: ReachedQuota | null; recalled: RecalledKey | null };

/** A share of the hour's quota that a request has reached. */
type ReachedQuota = { event: NewWebhookEvent; mail: NewMail };

/** The most that the column holds. */
const mostBytes = 2_147_483_647;

/** Completes the record of a streamed response, which was written before its first byte. */
export const completeUsage = async (
  ctx: Pick<Context, "db">,
  record: Pick<UsageRecord, "accountId" | "occurredAt" | "requestId">,
  { durationMs, responseBytes }: Pick<UsageRecord, "durationMs" | "responseBytes">,
): Promise<void> => {
  await updateLog(ctx.db, record, { durationMs, responseBytes: Math.min(responseBytes, mostBytes) });
};

const writerOf = perDatabase((db) =>
  batch(async (items: Item[]): Promise<boolean[]> => {
    observeSize(items.length);
    if (items.every(({ quota }) => quota === null)) return insertItems(db, items);
    return db.transaction(async (tx) => {
      const written = await insertItems(tx, items);
      const reached = items.flatMap(({ quota }, index) => (quota && written[index] ? quota : []));
      await enqueueWebhookEvents(
        tx,
        reached.map(({ event }) => event),
      );
      for (const { mail, event } of reached) {
        if (await accountWantsQuotaAlerts(tx, mail.accountId)) await enqueue(tx, mail, event.at);
      }
      return written;
    });
  }),
);

const insertItems = (db: Tx, items: Item[]): Promise<boolean[]> =>
  insertRecords(
    db,
    items.map(({ record }) => record),
    items.map(({ recalled }) => recalled),
  );

/** Once for each hour and share. */
const quotaOf = (
  { accountId, occurredAt }: UsageRecord,
  verdict: Verdict,
  { appUrl }: World["settings"],
): ReachedQuota | null => {
  const percent = quotaReachedBy(verdict);
  if (percent === null) return null;
  const { limit, remaining, resetAt: resetsAt } = verdict;
  const used = limit - remaining;
  const key = resetsAt.toISOString();
  const data = { limit, used, resets_at: key };
  return {
    event: { accountId, type: `quota.reached_${percent}`, key, data, at: occurredAt },
    mail: {
      ...quotaReached(appUrl, { percent, limit, used, resetsAt }),
      dedupeKey: `quota-reached:${accountId}:${percent}:${key}`,
      accountId,
    },
  };
};
