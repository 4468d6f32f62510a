/** Conversion of date-time fields, which are in UTC. */

/** Browsers submit `2026-11-20T09:30`, with seconds if there are any, and never a zone. */
export const inUtc = (text: string): string => {
  const [, minutes, seconds] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?$/.exec(text) ?? [];
  return minutes === undefined ? text : `${minutes}${seconds ?? ":00"}Z`;
};

/** The value of a date-time field for a query parameter. A day becomes its first minute. */
export const inField = (text: string | null): string => {
  if (!text) return "";
  const instant = new Date(inUtc(text));
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString().slice(0, 16);
};
