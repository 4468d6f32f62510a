import { z } from "zod";
import { testModeRoute } from "../../api/test-mode-route.server.ts";
import { isoInstant } from "../../domain/dates.ts";
import { validate } from "../../domain/input.ts";
import { type Moving, moveClock, readMove } from "../../domain/test-mode/test-clock.server.ts";

const move = z.union(
  [
    z.strictObject({ now: z.iso.datetime({ offset: true }) }).transform(({ now }) => ({ to: new Date(now) })),
    z.strictObject({ advance_days: z.int().min(-100_000).max(100_000) }).transform((it) => ({ days: it.advance_days })),
  ],
  { error: 'Give { "now": an ISO 8601 time with its zone } or { "advance_days": a whole number }' },
);

/** Well below the timeouts of clients and proxies. */
const timeoutMs = 20_000;

/** Reads the clock or moves it forward. A long move answers 202 and continues in the background. */
export const action = testModeRoute({
  GET: async ({ ctx }) => ({ now: isoInstant(ctx.clock.now()), moving: movingDocument(await readMove(ctx)) }),
  POST: async ({ ctx, testMode, body }) => {
    const { now, ran, moving } = await moveClock(ctx, testMode.controls, validate(move, body), timeoutMs);
    const result = {
      now: isoInstant(now),
      ran: {
        reminders_sent: ran.remindersSent,
        charges_succeeded: ran.chargesSucceeded,
        charges_declined: ran.chargesDeclined,
        expired: ran.expired,
      },
    };
    return moving ? Response.json({ ...result, moving: movingDocument(moving) }, { status: 202 }) : result;
  },
});
export { action as loader };

const movingDocument = (moving: Moving | null) =>
  moving && { from: isoInstant(moving.from), to: isoInstant(moving.to), at: isoInstant(moving.at) };
