/** Days and months for the audit, counted here and not by the service. Days are written `YYYY-MM-DD`. */

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const lengthOf = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (lengths[month - 1] as number);

const write = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

const read = (day: string): [year: number, month: number, day: number] => {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return [year, month, date];
};

/** The same day some months later, or the last day of that month if it is shorter. */
export const monthsLater = (day: string, months: number): string => {
  let [year, month, date] = read(day);
  for (let left = months; left > 0; left--) {
    month = month === 12 ? 1 : month + 1;
    if (month === 1) year += 1;
  }
  date = Math.min(date, lengthOf(year, month));
  return write(year, month, date);
};

export const daysEarlier = (day: string, days: number): string => {
  let [year, month, date] = read(day);
  for (let left = days; left > 0; left--) {
    date -= 1;
    if (date > 0) continue;
    month = month === 1 ? 12 : month - 1;
    if (month === 12) year -= 1;
    date = lengthOf(year, month);
  }
  return write(year, month, date);
};

/** `12_months` is 12. */
export const monthsIn = (term: string): number => {
  const months = Number.parseInt(term, 10);
  if (!/^\d+_months?$/.test(term)) throw new Error(`What is the term ${term}?`);
  return months;
};

export const grouped = <Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
};
