import { violatesConstraint } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import { recordAudit } from "./audit.server.ts";
import type { Account } from "./caller.ts";
import type { Registration } from "./credentials.ts";
import { mailVerification } from "./email-verification.server.ts";
import type { Origin } from "./lucia.server.ts";
import { savePlace } from "./new-place.server.ts";
import { hashPassword } from "./password.server.ts";
import { refuseGuessable } from "./password-strength.server.ts";
import * as queries from "./queries.server.ts";
import { registrationsFrom } from "./throttle.server.ts";

/**
 * Registers an account on the free plan and mails a verification link. Registering accepts the terms in force.
 *
 * @throws invalid for a password that is easy to guess
 * @throws conflict when the e-mail or the username is taken
 * @throws rate_limited after too many registrations from one address
 */
export const register = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "rateLimiter" | "settings">,
  input: Registration,
  origin: Origin,
): Promise<Account> => {
  await registrationsFrom(ctx, origin).count();
  refuseGuessable(input.password, input, "password");
  const now = ctx.clock.now();
  const passwordHash = await hashPassword(input.password);
  try {
    return await ctx.db.transaction(async (tx) => {
      const account = await queries.insertAccount(tx, {
        email: input.email,
        username: input.username,
        passwordHash,
        termsVersion: ctx.settings.termsVersion,
        createdAt: now,
      });
      await recordAudit(tx, { account }, "account.registered", now);
      await mailVerification({ ...ctx, db: tx }, account, now);
      await savePlace(tx, account.id, origin, now);
      return account;
    });
  } catch (error) {
    if (violatesConstraint(error, "accounts_email_key"))
      throw conflict("An account with this e-mail address already exists");
    if (violatesConstraint(error, "accounts_username_key")) throw conflict("This username is taken. Choose another");
    throw error;
  }
};
