/** Calendar quarters in UTC. Quarterly periods follow them. */
import { addMonths, type Day } from "../dates.ts";

export type Quarter = {
  /** Such as `2026-Q4`. */
  code: string;
  /** Such as `2026 Q4`. */
  name: string;
  startsOn: Day;
  /** Exclusive: the first day of the next quarter. */
  endsOn: Day;
};

/** The quarter that contains a day. */
export const quarterOf = (day: Day): Quarter => {
  const month = Number(day.slice(5, 7));
  const startsOn = addMonths(`${day.slice(0, 7)}-01`, -((month - 1) % 3));
  const [year, number] = [startsOn.slice(0, 4), Math.ceil(month / 3)];
  return { code: `${year}-Q${number}`, name: `${year} Q${number}`, startsOn, endsOn: addMonths(startsOn, 3) };
};

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The name of a period that is still open: `From 1 Oct 2026`. */
export const openPeriodName = (startsOn: Day): string =>
  `From ${Number(startsOn.slice(8))} ${months[Number(startsOn.slice(5, 7)) - 1]} ${startsOn.slice(0, 4)}`;
