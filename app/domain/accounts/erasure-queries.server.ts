import { and, eq, inArray } from "drizzle-orm";
import {
  accounts,
  auditLog,
  emailVerifications,
  knownDevices,
  passkeys,
  passwordResets,
  recoveryCodes,
  signInChallenges,
  signInPlaces,
  twoFactors,
  wrongCodes,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export const deleteSignInCredentials = async (tx: Tx, accountId: number): Promise<void> => {
  await tx.delete(signInChallenges).where(eq(signInChallenges.accountId, accountId));
  await tx.delete(passwordResets).where(eq(passwordResets.accountId, accountId));
  await tx.delete(emailVerifications).where(eq(emailVerifications.accountId, accountId));
  await tx.delete(knownDevices).where(eq(knownDevices.accountId, accountId));
  await tx.delete(passkeys).where(eq(passkeys.accountId, accountId));
  await tx.delete(twoFactors).where(eq(twoFactors.accountId, accountId));
  await tx.delete(wrongCodes).where(eq(wrongCodes.accountId, accountId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId));
};

export const anonymize = async (tx: Tx, accountId: number, now: Date): Promise<void> => {
  const placeholder = `closed:${accountId}`;
  await tx
    .update(accounts)
    .set({
      email: placeholder,
      username: placeholder,
      passwordHash: "closed",
      role: "holder",
      emailVerifiedAt: null,
      closedAt: now,
    })
    .where(eq(accounts.id, accountId));
  await tx.delete(signInPlaces).where(eq(signInPlaces.accountId, accountId));
  await tx
    .update(auditLog)
    .set({ details: {} })
    .where(
      and(
        eq(auditLog.accountId, accountId),
        inArray(auditLog.action, ["session.opened", "email.changed", "email.change_requested"]),
      ),
    );
};
