import { z } from "zod";
import { testModeRoute } from "../../api/test-mode-route.server.ts";
import { isoInstant } from "../../domain/dates.ts";
import { validate } from "../../domain/input.ts";
import { moveClock } from "../../domain/test-mode/test-clock.server.ts";

const move = z.union(
  [
    z.strictObject({ now: z.iso.datetime({ offset: true }) }).transform(({ now }) => ({ to: new Date(now) })),
    z.strictObject({ advance_days: z.int().min(-100_000).max(100_000) }).transform((it) => ({ days: it.advance_days })),
  ],
  { error: 'Give { "now": an ISO 8601 time with its zone } or { "advance_days": a whole number }' },
);

/** What time it is, and moving it forward. */
export const action = testModeRoute({
  GET: async ({ ctx }) => ({ now: isoInstant(ctx.clock.now()) }),
  POST: async ({ ctx, testMode, body }) => {
    const controls = { moveClockTo: testMode.moveClockTo, idle: testMode.simulator.idle };
    const { now, ran } = await moveClock(ctx, controls, validate(move, body));
    return {
      now: isoInstant(now),
      ran: {
        reminders_sent: ran.remindersSent,
        charges_succeeded: ran.chargesSucceeded,
        charges_declined: ran.chargesDeclined,
        expired: ran.expired,
      },
    };
  },
});
export { action as loader };
