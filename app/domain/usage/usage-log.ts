/** The log as its owner reads it. @spec Endpoints (GET /api-usage-logs) */
import { z } from "zod";
import { invalid } from "../errors.ts";
import { cursorOf } from "../page.ts";
import type { UsageRecord } from "./usage-record.ts";

export type UsageLog = Omit<UsageRecord, "accountId"> & { id: number };

/** Every filter narrows. */
export type UsageFilter = {
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  status?: number | undefined;
  /** A path's template, exactly. */
  endpoint?: string | undefined;
  apiKeyId?: number | undefined;
  routeId?: number | undefined;
};

/** @throws invalid when the range is empty whatever was logged */
export const refuseEmptyRange = ({ from, to }: Pick<UsageFilter, "from" | "to">): void => {
  if (from && to && from >= to) throw invalid("from", "Must be earlier than to");
};

const lastInstantMs = Date.parse("9999-12-31T23:59:59.999Z");

/** Newest first: milliseconds since 1970, and the id for those of the same millisecond. */
export const logCursor = cursorOf(z.tuple([z.int().min(0).max(lastInstantMs), z.int().min(0)]));
