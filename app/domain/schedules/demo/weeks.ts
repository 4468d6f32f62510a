/** Weeks, counted from one in 1969 and beginning on Mondays in UTC. */
import { type Day, dayOf, millisecondsPerDay, startOf } from "../../dates.ts";

const firstMondayMs = startOf("1969-12-29").getTime();
const millisecondsPerWeek = 7 * millisecondsPerDay;

export const weekOf = (day: Day): number => weekAt(startOf(day).getTime());

/** @param ms since 1970 */
export const weekAt = (ms: number): number => Math.floor((ms - firstMondayMs) / millisecondsPerWeek);

export const mondayOf = (weekIndex: number): Day => dayOf(new Date(weekStartMs(weekIndex)));

/** In milliseconds since 1970. */
export const weekStartMs = (weekIndex: number): number => firstMondayMs + weekIndex * millisecondsPerWeek;
