import type { Context } from "../context.ts";
import { unauthenticated } from "../errors.ts";
import { recordAct } from "./audit.server.ts";
import type { Credentials } from "./credentials.ts";
import type { Origin, SessionKind } from "./lucia.server.ts";
import { tellOfNewPlace } from "./new-place.server.ts";
import { passwordMatches } from "./password.server.ts";
import * as queries from "./queries.server.ts";
import { type OpenSession, openSession } from "./session.server.ts";
import { failedSignInsOf } from "./throttle.server.ts";

/**
 * The same refusal in the same time for an unknown e-mail and a wrong password. From a place that is new to the account,
 * the holder is told by mail.
 *
 * @throws unauthenticated
 * @throws rate_limited after too many failures of one account or from one address
 * @spec Authentication
 */
export const signIn = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter" | "settings">,
  input: Credentials,
  kind: SessionKind,
  origin: Origin,
): Promise<OpenSession> => {
  const failures = failedSignInsOf(ctx, input.email, origin);
  await failures.refuseWhenUsedUp();
  const found = await queries.findByEmail(ctx.db, input.email);
  if (!(await passwordMatches(found?.passwordHash ?? null, input.password)) || !found) {
    await failures.count();
    throw unauthenticated();
  }
  const { passwordHash: _, ...account } = found;
  return ctx.db.transaction(async (tx) => {
    await tellOfNewPlace({ ...ctx, db: tx }, account, kind, origin);
    await recordAct(tx, { account }, "session.opened", ctx.clock.now(), {
      kind,
      address: origin.ipAddress,
      program: origin.userAgent?.slice(0, 300) ?? null,
    });
    return openSession({ db: tx, clock: ctx.clock }, account, kind, origin);
  });
};
