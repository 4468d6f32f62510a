/** Which periods follow one another. @spec What the service does (hierarchy) */
import type { Day } from "../dates.ts";
import type { Period } from "./period.ts";
import { openPeriodName, quarterOf } from "./quarter.ts";
import type { Freshness } from "./route.ts";

export type Opening = {
  code: string;
  name: string;
  startsOn: Day;
  /** Exclusive. Null: it stays open. */
  endsOn: Day | null;
  freshness: Freshness;
};

type Turning = Pick<Period, "code" | "name" | "startsOn">;

/** What a period is called once it has ended. A name that an operator chose stays. */
export const nameAfterEnd = ({ name, startsOn }: Pick<Period, "name" | "startsOn">, endsOn: Day): string => {
  const quarter = quarterOf(startsOn);
  const isWholeQuarter = quarter.startsOn === startsOn && quarter.endsOn === endsOn;
  return isWholeQuarter && name === openPeriodName(startsOn) ? quarter.name : name;
};

/** The period that follows one that ends on `startsOn`, open until further notice. */
export const openingAfter = (period: Turning, startsOn: Day, freshness: Freshness): Opening => ({
  code: codeAfter(period.code, startsOn),
  name: openPeriodName(startsOn),
  startsOn,
  endsOn: null,
  freshness,
});

/**
 * Ends a period with its quarter and opens one for every quarter since; only the last stays open. Empty while the
 * quarter lasts.
 *
 * @returns oldest first
 */
export const openingsUntil = (period: Turning, today: Day, freshness: Freshness): Opening[] => {
  const openings: Opening[] = [];
  for (let { endsOn: startsOn } = quarterOf(period.startsOn); startsOn <= today; ) {
    const { endsOn } = quarterOf(startsOn);
    const opening = openingAfter(openings.at(-1) ?? period, startsOn, freshness);
    openings.push(endsOn <= today ? { ...opening, endsOn, name: nameAfterEnd(opening, endsOn) } : opening);
    startsOn = endsOn;
  }
  return openings;
};

const start = /\d{4}-(?:Q\d|\d{2}-\d{2})(?!.*\d{4}-(?:Q\d|\d{2}-\d{2}))/;

/** The code of the period before, with the new quarter in place of the old. */
const codeAfter = (code: string, startsOn: Day): string => {
  const quarter = quarterOf(startsOn);
  const label = quarter.startsOn === startsOn ? quarter.code : startsOn;
  return start.test(code) ? code.replace(start, label) : `${code}/${label}`;
};
