/** Changes as JSON documents and as server-sent events. */
import { type Change, cursorAfter } from "../../domain/changes/change.ts";
import type { ChangeStream } from "../../domain/changes/follow.server.ts";
import type { ChangePage } from "../../domain/changes/list.server.ts";
import { reconnectSeconds } from "../../domain/changes/policy.ts";
import type { Context } from "../../domain/context.ts";
import { isoInstant } from "../../domain/dates.ts";
import { failureOf } from "../../domain/failure.ts";
import { change } from "../contracts/changes.ts";
import type { EventStream } from "../event-stream.server.ts";

const orNull = (text: string) => (text === "" ? null : text);

export const changeDocument = (entry: Change) => ({
  id: entry.id,
  type: entry.type,
  source: entry.source,
  occurred_at: isoInstant(entry.occurredAt),
  route_id: entry.route.id,
  route_code: entry.route.code,
  route_name: entry.route.name,
  period_id: entry.periodId,
  report_type: entry.reportType,
  service_level: entry.serviceLevel,
  equipment_type: orNull(entry.equipmentType),
  surcharge_code: orNull(entry.surchargeCode),
  count: entry.count,
  from: entry.observedFrom && isoInstant(entry.observedFrom),
  to: entry.observedTo && isoInstant(entry.observedTo),
  fields: entry.fields,
  before: entry.before,
  after: entry.after,
});

/** The stream of a connection. A failure ends it, and the client connects again. */
export const changeEventStream = (ctx: Pick<Context, "log">, stream: ChangeStream): EventStream => ({
  close: stream.close,
  async *texts(signal) {
    yield `retry: ${reconnectSeconds * 1000}\n\n`;
    try {
      for await (const page of stream.pages(signal)) yield eventsOf(page);
    } catch (error) {
      ctx.log.error("A stream of changes failed", { failure: failureOf(error).kind }, error);
    }
  },
});

/** Ends with a comment if it has not the last id: the cursor moves on past changes that the caller may not read. */
const eventsOf = ({ changes, after }: ChangePage): string => {
  const events = changes.map((entry) => {
    const data = JSON.stringify(change.parse(changeDocument(entry)));
    return `id: ${cursorAfter(entry.id)}\nevent: change\ndata: ${data}\n\n`;
  });
  return changes.at(-1)?.id === after ? events.join("") : `${events.join("")}: alive\nid: ${cursorAfter(after)}\n\n`;
};
