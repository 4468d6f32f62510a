/**
 * How the request log is partitioned: by plan, then by time. The log of a plan with a retention is kept in weeks, so
 * that it is dropped soon after the records have expired; a log that is kept for ever in months.
 */
import { addDays, addMonths, type Day, firstOfMonth, startOf } from "../dates.ts";
import { type Plan, planLimits, plans } from "../plans/plans.ts";

export type LogPartition = {
  name: string;
  /** The partition of the plan, which this one is a part of. */
  parent: string;
  from: Day;
  /** Exclusive. */
  to: Day;
};

export const planPartition = (plan: Plan): string => `usage_logs_${plan}`;

/**
 * Where records are that no partition of a time holds: those from before the log was partitioned, and those of a time
 * whose partition did not exist or exists no longer. Normally empty, or shrinking.
 */
export const unsortedPartitions: readonly string[] = [
  "usage_logs_without_plan",
  ...plans.map((plan) => `${planPartition(plan)}_default`),
];

/** How many partitions are created ahead, beside the present one. */
const partitionsAhead = 2;

/** The partition of each plan for this day, and the next ones. */
export const partitionsFrom = (today: Day): LogPartition[] =>
  plans.flatMap((plan) =>
    Array.from({ length: partitionsAhead + 1 }, (_, index) => {
      const isKeptForEver = planLimits[plan].storageDays === null;
      const from = isKeptForEver ? addMonths(firstOfMonth(today), index) : addDays(mondayOf(today), 7 * index);
      const to = isKeptForEver ? addMonths(from, 1) : addDays(from, 7);
      const parent = planPartition(plan);
      return { name: `${parent}_${from.replaceAll("-", "_")}`, parent, from, to };
    }),
  );

const mondayOf = (day: Day): Day => addDays(day, -((startOf(day).getUTCDay() + 6) % 7));
