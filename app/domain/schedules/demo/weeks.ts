/** Weeks, counted from one in 1969 and beginning on Mondays in UTC. */
import { type Day, dayOf, millisecondsPerDay, startOf } from "../../dates.ts";

const firstMondayMs = startOf("1969-12-29").getTime();
const millisecondsPerWeek = 7 * millisecondsPerDay;

export const weekOf = (day: Day): number => Math.floor((startOf(day).getTime() - firstMondayMs) / millisecondsPerWeek);

export const mondayOf = (weekIndex: number): Day => dayOf(new Date(firstMondayMs + weekIndex * millisecondsPerWeek));
