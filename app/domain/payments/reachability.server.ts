/** Whether the payment provider answers, as all processes together know it. In real time, whatever the test clock says. */
import type { Context } from "../context.ts";
import * as queries from "./reachability-queries.server.ts";
import { isReachableAfter } from "./watched-gateway.ts";

/** Records, in the background and in order, whether the provider answered a call. */
export const contactRecorder = (ctx: Pick<Context, "db" | "deviceClock">, log: Context["log"]) => {
  let recorded: Promise<unknown> = Promise.resolve();
  return (answered: boolean): Promise<unknown> => {
    const failedAt = answered ? null : ctx.deviceClock.now();
    recorded = recorded
      .then(() => queries.noteFailure(ctx.db, failedAt))
      .catch((error) =>
        log.warn("Contact with the payment provider was not recorded", { "error.message": String(error) }),
      );
    return recorded;
  };
};

/** False from a failed call of any process until that process is answered, or until `unreachableMinutes` have passed. */
export const paymentsReachable = async (ctx: Pick<Context, "db" | "deviceClock">): Promise<boolean> =>
  isReachableAfter(await queries.findFailure(ctx.db), ctx.deviceClock.now());
