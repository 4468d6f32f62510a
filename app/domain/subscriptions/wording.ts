/** Wording about reminders and renewal, shared by the portal, the guides and the API's description. */
import { counted, listed } from "../wording.ts";
import { chargeDaysBeforeEnd, reminderDays } from "./policy.ts";

/** `charged 3 days before the term ends, at the price that we e-mail you 7 days before`, in every sentence about renewal. */
export const chargeInWords = `charged ${counted(chargeDaysBeforeEnd, "day")} before the term ends, at the price that we e-mail you ${counted(reminderDays[0], "day")} before`;

/** `3 days before`. */
export const chargeDaysInWords = `${counted(chargeDaysBeforeEnd, "day")} before`;

/** `7 days before`. */
export const firstReminderInWords = `${counted(reminderDays[0], "day")} before`;

/** `7 days and 1 day before the end`. */
export const remindersInWords = `${listed(reminderDays.map((days) => counted(days, "day")))} before the end`;
