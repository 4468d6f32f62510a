/** What follows from an attempt: success, another attempt, or the end; and whether the endpoint is disabled. */
import type { deliveryStatuses, disableReasons } from "./enums.ts";
import { disabledAfterHours, jitterPercent, longestRetryAfterMinutes, retryMinutes } from "./policy.ts";

export type DeliveryStatus = (typeof deliveryStatuses)[number];
export type DisableReason = (typeof disableReasons)[number];

export type Attempt = {
  /** Null: there was no response. */
  status: number | null;
  retryAfter: string | null;
  /** Attempts of this delivery, this one included. */
  tries: number;
  /** When the endpoint's failures began, before this attempt. Null: its last attempt succeeded. */
  failingSince: Date | null;
  now: Date;
  /** Random, 0 to 1. */
  jitter: number;
};

export type Outcome = { status: DeliveryStatus; dueAt: Date; disable: Exclude<DisableReason, "holder"> | null };

export const outcomeOf = (attempt: Attempt): Outcome => {
  const { status, tries, failingSince, now } = attempt;
  if (isSuccess(status)) return { status: "delivered", dueAt: now, disable: null };
  if (status === 410) return { status: "failed", dueAt: now, disable: "gone" };
  const failingMs = now.getTime() - (failingSince ?? now).getTime();
  if (failingMs >= disabledAfterHours * 3_600_000) return { status: "failed", dueAt: now, disable: "failing" };
  const delay = retryMinutes[tries - 1];
  if (delay === undefined) return { status: "failed", dueAt: now, disable: null };
  const backoffMs = delay * 60_000 * (1 + (jitterPercent / 100) * attempt.jitter);
  const waitMs = Math.max(backoffMs, retryAfterMs(attempt.retryAfter, now));
  return { status: "pending", dueAt: new Date(now.getTime() + waitMs), disable: null };
};

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Retry-After in either of its forms, capped. 0 if there is none, or none that can be read. */
const retryAfterMs = (header: string | null, now: Date): number => {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), longestRetryAfterMinutes * 60_000);
};
