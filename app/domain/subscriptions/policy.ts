/** When the end of a subscription is announced, and when its renewal is charged. All figures are in days. */

/** From this day on the status is `expiring_soon`. @spec States and transitions */
export const expiringSoonDays = 7;

/** Reminders by e-mail, in descending order. With auto-renewal the first one announces the charge. @spec States and transitions */
export const reminderDays: readonly [number, ...number[]] = [expiringSoonDays, 1];

/** The reminder that is due: the latest whose day has been reached. Null before the first. */
export const dueReminder = (daysLeft: number): number | null =>
  reminderDays.findLast((days) => daysLeft <= days) ?? null;

/** Renewal is charged on this day. @spec Subscription, rule 5 */
export const chargeDaysBeforeEnd = 3;

/** A declined charge is tried again once a day until the day before the end. */
export const chargeRetries = chargeDaysBeforeEnd - 1;

/** How far ahead the list of upcoming expirations looks, unless the caller asks for another number of days, and at most. */
export const expirationOutlookDays = { default: 30, max: 90 } as const;

/** How many subscriptions one request can cancel, or set auto-renewal of. */
export const maxSelection = 500;
