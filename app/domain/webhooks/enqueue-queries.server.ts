import { sql } from "drizzle-orm";
import { webhookDeliveries, webhookEndpoints, webhookMessages } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { webhookChannel } from "./policy.ts";

export type EventRow = { accountId: number; type: string; key: string; payload: string; at: Date };

/**
 * Stores events with a delivery for each enabled endpoint that subscribes to the type, in one statement, and notifies the
 * senders at commit. Events that no endpoint wants, and those whose key exists, are left out.
 *
 * @returns how many events were stored
 */
export const insertEvents = async (tx: Tx, events: readonly EventRow[]): Promise<number> => {
  const rows = JSON.stringify(
    events.map(({ accountId, type, key, payload, at }) => ({ account_id: accountId, type, key, payload, at })),
  );
  const [counted] = await tx.execute<{ stored: number }>(sql`
    with happened as (
      select * from jsonb_to_recordset(${rows}::jsonb)
        as given(account_id integer, type webhook_event_type, key text, payload text, at timestamptz)
    ),
    stored as (
      insert into ${webhookMessages} (account_id, type, key, payload, created_at)
      select account_id, type, key, payload, at
      from happened
      where exists (
        select from ${webhookEndpoints} as endpoint
        where endpoint.account_id = happened.account_id
          and endpoint.disabled_at is null
          and happened.type = any(endpoint.event_types)
      )
      on conflict (account_id, type, key) do nothing
      returning id, account_id, type, created_at
    ),
    queued as (
      insert into ${webhookDeliveries} (message_id, endpoint_id, due_at, created_at)
      select stored.id, endpoint.id, stored.created_at, stored.created_at
      from stored
      join ${webhookEndpoints} as endpoint on endpoint.account_id = stored.account_id
      where endpoint.disabled_at is null and stored.type = any(endpoint.event_types)
      order by stored.id, endpoint.id
      returning id
    )
    select count(*)::int as stored, case when count(*) > 0 then pg_notify(${webhookChannel}, '') end
    from stored
  `);
  return counted?.stored ?? 0;
};
