/** The request log as its owner reads it. @spec Endpoints (GET /api-usage-logs) */
import { z } from "zod";
import { invalid } from "../errors.ts";
import { cursorOf } from "../page.ts";
import type { UsageRecord } from "./usage-record.ts";

export type UsageLog = Omit<UsageRecord, "accountId"> & { id: number };

/** All filters apply together. */
export type UsageFilter = {
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  status?: number | undefined;
  statusClass?: StatusClass | undefined;
  /** An exact path template. */
  endpoint?: string | undefined;
  apiKeyId?: number | undefined;
  routeId?: number | undefined;
  requestId?: string | undefined;
};

/** The classes of HTTP statuses. `4xx` includes 429. */
export const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;
export type StatusClass = (typeof statusClasses)[number];

/** @throws invalid when the range ends before it begins */
export const refuseEmptyRange = ({ from, to }: Pick<UsageFilter, "from" | "to">): void => {
  if (from && to && from >= to) throw invalid("from", "Must be before the end of the range");
};

const lastInstantMs = Date.parse("9999-12-31T23:59:59.999Z");

/** Sorted newest first by time in milliseconds, then by id. */
export const logCursor = cursorOf(z.tuple([z.int().min(0).max(lastInstantMs), z.int().min(0)]));
