/** When the next mail with alerts is due. */
import { dayOf, millisecondsPerDay, startOf } from "../dates.ts";
import { digestHour, type MailCadence } from "./policy.ts";

const millisecondsPerHour = 3_600_000;

/** Alerts raised before this instant are mailed by now. Null: none is. */
export const mailedBefore = (cadence: MailCadence, now: Date): Date | null => {
  switch (cadence) {
    case "off":
      return null;
    case "at_once":
      return new Date(now.getTime() + 1);
    case "hourly":
      return new Date(Math.floor(now.getTime() / millisecondsPerHour) * millisecondsPerHour);
    case "daily": {
      const todays = startOf(dayOf(now)).getTime() + digestHour * millisecondsPerHour;
      return new Date(todays <= now.getTime() ? todays : todays - millisecondsPerDay);
    }
  }
};
