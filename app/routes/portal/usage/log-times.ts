/** The fields for date and time, in UTC. */

/** Browsers write `2026-11-20T09:30`, with seconds when there are any, and no zone. */
export const inUtc = (text: string): string => {
  const [, minutes, seconds] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?$/.exec(text) ?? [];
  return minutes === undefined ? text : `${minutes}${seconds ?? ":00"}Z`;
};

/** What a browser's field for date and time shows of what was asked for; a day is its first minute. */
export const inField = (text: string | null): string => {
  if (!text) return "";
  const instant = new Date(inUtc(text));
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString().slice(0, 16);
};
