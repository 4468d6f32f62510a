/** Weeks, counted from one in 1969 and beginning on Mondays in UTC. */
import { addDays, type Day, daysBetween } from "../../dates.ts";

const firstMonday: Day = "1969-12-29";

export const weekOf = (day: Day): number => Math.floor(daysBetween(firstMonday, day) / 7);

export const mondayOf = (weekIndex: number): Day => addDays(firstMonday, weekIndex * 7);
