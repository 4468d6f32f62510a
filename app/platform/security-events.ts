/**
 * Lines in the log for a monitoring system: what may be an attack, and every change of who has access. Account ids only, never
 * addresses, names or secrets. docs/operating.md explains each name.
 *
 * The audit log is another thing: it is kept with the account, and its holder can read it.
 */
import type { Log } from "./log.server.ts";

/** Named as in the audit log. Each is logged when it is recorded there. */
export const recordedEvents = [
  "account.registered",
  "account.closed",
  "account.suspended",
  "account.restored",
  "api_key.created",
  "api_key.activated",
  "api_key.addresses_set",
  "api_key.deactivated",
  "api_key.deleted",
  "api_key.expiry_set",
  "api_key.leaked",
  "api_key.rotated",
  "calendar_feed.created",
  "email.change_requested",
  "email.changed",
  "operator.granted",
  "operator.revoked",
  "passkey.added",
  "passkey.copy_suspected",
  "passkey.removed",
  "password.changed",
  "password.reset",
  "recovery_code.used",
  "recovery_codes.renewed",
  "second_factor.refused",
  "session.confirmed",
  "session.opened",
  "session.revoked",
  "session.others_revoked",
  "session.all_revoked",
  "two_factor.app_added",
  "two_factor.app_removed",
  "two_factor.turned_on",
  "two_factor.turned_off",
  "two_factor.removed",
  "webhook_endpoint.changed",
  "webhook_endpoint.created",
  "webhook_endpoint.secret_rotated",
] as const;

/** In no audit log, as there may be no account. */
export const refusedEvents = [
  "access.refused",
  "attempt.throttled",
  "credentials.refused",
  "cross_site.refused",
  "passkey.refused",
  "password.refused",
] as const;

export type SecurityEvent = (typeof recordedEvents)[number] | (typeof refusedEvents)[number];

type More = {
  request_id?: string;
  endpoint?: string;
  /** What was throttled. */
  attempt?: string | undefined;
  actor_account_id?: number | null;
};

let log: Pick<Log, "warn"> | null = null;

/** The service's processes report them. Commands that fill a database with a demo do not. @param to null: to nobody */
export const reportSecurityEvents = (to: Pick<Log, "warn"> | null): void => {
  log = to;
};

/** @param accountId whose access it is about; null: unknown, or none */
export const logSecurityEvent = (name: SecurityEvent, accountId: number | null, more: More = {}): void =>
  log?.warn("security", { name, account_id: accountId, ...more });

const recorded: ReadonlySet<string> = new Set(recordedEvents);
export const isSecurityEvent = (action: string): action is (typeof recordedEvents)[number] => recorded.has(action);
