import type { Context } from "../context.ts";
import type { PaymentEvent } from "./gateway.ts";
import * as queries from "./queries.server.ts";

export const eventWasHandled = (ctx: Pick<Context, "db">, eventId: string): Promise<boolean> =>
  queries.wasHandled(ctx.db, eventId);

export const markEventHandled = async (ctx: Pick<Context, "db" | "clock">, event: PaymentEvent): Promise<void> => {
  await queries.insertHandled(ctx.db, { id: event.id, type: event.type, handledAt: ctx.clock.now() });
};
