import type { Day } from "../dates.ts";

/** Local time at a port. */
export type PortTime = {
  /** `2026-11-24T14:00`, without an offset. */
  local: string;
  /** `+08:00`. */
  offset: string;
};

/** `2026-11-24T14:00:00+08:00`. @param timezone IANA */
export const isoPortTime = (instant: Date, timezone: string): string => {
  const { local, offset } = portTime(instant, timezone);
  return `${local}:00${offset}`;
};

/** The day in the local time of the port, of a time like `2026-11-24T14:00:00+08:00`. */
export const dayOfPortTime = (portTime: string): Day => portTime.slice(0, 10);

/** The day in the local time of a port. @param timezone IANA */
export const portDay = (instant: Date, timezone: string): Day => portTime(instant, timezone).local.slice(0, 10);

/** @param timezone IANA */
export const portTime = (instant: Date, timezone: string): PortTime => {
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const offset = (parts.get("timeZoneName") ?? "").replace("GMT", "") || "+00:00";
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  const aheadMs = (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  return { local: new Date(instant.getTime() + aheadMs).toISOString().slice(0, 16), offset };
};

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timezone: string): Intl.DateTimeFormat => {
  const known = formats.get(timezone);
  const format = known ?? new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeZoneName: "longOffset" });
  if (!known) formats.set(timezone, format);
  return format;
};
