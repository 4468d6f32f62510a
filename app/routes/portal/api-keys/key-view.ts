/** An API key as the pages show it. */
import type { ApiKey } from "#app/domain/api-keys/api-key.ts";
import { dayOf } from "#app/domain/dates.ts";
import { formatDay, formatInstant } from "#app/portal/format.ts";

/** The account's key for the browser: no `Date`, and `expired` as its own state. */
export const keyView = (key: ApiKey, now: Date) => ({
  id: key.id,
  name: key.name,
  user: key.user,
  prefix: key.displayPrefix,
  state: key.expiresAt && key.expiresAt <= now ? ("expired" as const) : key.status,
  createdAt: key.createdAt.toISOString(),
  expiresAt: key.expiresAt?.toISOString() ?? null,
  isRotated: key.replacedAt !== null,
  hourlyLimit: key.hourlyLimit,
  allowedAddresses: key.allowedAddresses,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  requests: key.requests,
});

export type KeyView = ReturnType<typeof keyView>;

/** The value of the date field. */
export const lastDayOf = (expiresAt: string): string => dayOf(new Date(Date.parse(expiresAt) - 1));

/** `Last day 20 Dec 2026`, or `20 Dec 2026, 14:05 UTC` for a key that stops during the day. */
export const expiryInWords = (expiresAt: string): string =>
  expiresAt.endsWith("T00:00:00.000Z") ? `Last day ${formatDay(lastDayOf(expiresAt))}` : formatInstant(expiresAt);
