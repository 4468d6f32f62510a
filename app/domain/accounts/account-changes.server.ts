/**
 * Changes that others make to an account: operators, and the service itself. Each is logged and takes effect with the
 * account's next request. The callers decide who may make them, and when.
 */
import type { Tx } from "../../platform/db.server.ts";
import type { Plan } from "../plans/plans.ts";
import type { Action, AuditDetails } from "./action.ts";
import { recordOperatorAudit, recordServiceAudit } from "./audit.server.ts";
import type { OperatorCaller, Role } from "./caller.ts";
import type { ExclusiveLock } from "./lock.server.ts";
import { notePlanChange } from "./plan-change-queries.server.ts";
import * as queries from "./queries.server.ts";
import type { VolumeAgreement } from "./volume-agreement.ts";

/** Who makes a change, and when. `operator` is null for changes by the service itself. */
export type ChangedBy = { operator: OperatorCaller | null; now: Date };

/**
 * Also ends a custom hourly limit, as it was agreed for the former plan, and notes the change for the request log, whose
 * records move later.
 */
export const changePlan = async (
  locked: ExclusiveLock,
  { plan, reason }: { plan: Plan; reason: string },
  by: ChangedBy,
): Promise<void> => {
  const { plan: from, customHourlyLimit } = locked.account;
  const formerLimit = customHourlyLimit === null ? {} : { former_hourly_limit: customHourlyLimit };
  const details = { from, to: plan, reason, ...formerLimit };
  await change(locked, { plan, customHourlyLimit: null }, "account.plan_changed", details, by);
  await notePlanChange(locked.tx, locked.account.id, by.now);
};

/** @param hourlyLimit requests an hour instead of the plan's; null: the plan's */
export const setHourlyLimit = (locked: ExclusiveLock, hourlyLimit: number | null, by: ChangedBy): Promise<void> => {
  const details = { from: locked.account.customHourlyLimit, to: hourlyLimit };
  return change(locked, { customHourlyLimit: hourlyLimit }, "account.hourly_limit_set", details, by);
};

/** @param agreement null: none any more */
export const setAgreedDiscount = (
  locked: ExclusiveLock,
  agreement: VolumeAgreement | null,
  by: ChangedBy,
): Promise<void> => {
  const { percent = null, through = null, agreedBy = null } = agreement ?? {};
  const details = { from: locked.account.customDiscountPercent, to: percent, ...(through ? { through } : {}) };
  const set = {
    customDiscountPercent: percent,
    customDiscountThrough: through,
    customDiscountAgreedBy: agreedBy,
  };
  return change(locked, set, "account.discount_agreed", details, by);
};

/** Denies access to all data. The caller cancels open orders after the commit: `cancelOpenOrdersOfSuspended`. */
export const suspendAccount = (locked: ExclusiveLock, reason: string, by: ChangedBy): Promise<void> =>
  change(locked, { standing: "suspended" }, "account.suspended", { reason }, by);

export const reinstateAccount = (locked: ExclusiveLock, reason: string, by: ChangedBy): Promise<void> =>
  change(locked, { standing: "good" }, "account.restored", { reason }, by);

export const setRole = (locked: ExclusiveLock, role: Role, by: ChangedBy): Promise<void> =>
  change(locked, { role }, role === "operator" ? "operator.granted" : "operator.revoked", {}, by);

const change = async (
  locked: ExclusiveLock,
  set: queries.AccountChange,
  action: Action,
  details: AuditDetails,
  { operator, now }: ChangedBy,
): Promise<void> => {
  const { tx, account } = locked;
  await queries.updateAccount(tx, account.id, set);
  if (operator) await recordOperatorAudit(tx, operator, account.id, action, now, details);
  else await recordServiceAudit(tx, account.id, action, now, details);
};

/** The account's customer at the payment provider. The first one stays. */
export const setCustomerId = async (db: Tx, accountId: number, customerId: string): Promise<void> => {
  await queries.setCustomerId(db, accountId, customerId);
};
