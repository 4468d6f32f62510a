/** Names, schedules and outcomes of jobs as text. */
import { formatCount, formatNumber, formatWord } from "#app/portal/format.ts";

/** `5 * * * *` is `Hourly at :05`. */
export const scheduleInWords = (cron: string): string => {
  const [minute = "", hour = ""] = cron.split(" ");
  if (minute === "*") return "Every minute";
  if (minute.startsWith("*/")) return `Every ${minute.slice(2)} minutes`;
  if (hour === "*") return `Hourly at :${minute.padStart(2, "0")}`;
  return `Daily at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")} UTC`;
};

/** `charge-renewals` is `Charge renewals`. */
export const jobInWords = (id: string): string => formatWord(id.replaceAll("-", "_"));

/** `{ succeeded: 2, declined: 0 }` is `2 succeeded`. */
export const outcomeInWords = (outcome: Record<string, number> | null): string => {
  const done = Object.entries(outcome ?? {}).filter(([, count]) => count > 0);
  if (done.length === 0) return "Nothing due";
  return done.map(([what, count]) => counted(what, count)).join(", ");
};

/** The keys of an outcome are participles, or nouns in the plural. */
const counted = (what: string, count: number): string => {
  const one = { reminders: "reminder", days: "day", months: "month" }[what];
  return one === undefined ? `${formatNumber(count)} ${what}` : formatCount(count, one);
};
