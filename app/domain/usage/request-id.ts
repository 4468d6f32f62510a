/**
 * Request IDs are version 7 UUIDs (RFC 9562): they begin with the time of the request in milliseconds. The log is indexed
 * by account and time, so a request is found by its id without an index of ids.
 */
import { randomUUID } from "node:crypto";

/** @param at when the request arrived, as its log record says */
export const newRequestId = (at: Date): string => {
  const ms = at.getTime();
  if (ms !== latest.ms) latest = { ms, prefix: prefixOf(ms) };
  return latest.prefix + randomUUID().slice(15);
};

const prefixOf = (ms: number): string => {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
};

/** Many requests arrive in the same millisecond. */
let latest = { ms: 0, prefix: prefixOf(0) };

/** When the request with this id arrived. Null for ids from before they contained the time. */
export const instantOfRequest = (id: string): Date | null =>
  id.charAt(14) === "7" ? new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) : null;
