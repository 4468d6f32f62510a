/** Formats dates, money and numbers for the portal: in English, by the reader's region (see locale.ts), in UTC. */
import { minorDigitsOf } from "../domain/money.ts";
import { currentLocale } from "./locale.ts";

/** `2026-11-30` or an instant: `30 Nov 2026`. */
export const formatDay = (value: string | Date): string => write(formats().day, value);

/** `30 Nov`. */
export const formatShortDay = (value: string | Date): string => write(formats().shortDay, value);

/** `Nov 2026`. */
export const formatMonth = (value: string | Date): string => write(formats().month, value);

/** `14:05`, in UTC without the suffix. */
export const formatTime = (value: string | Date): string => write(formats().time, value);

/** `Mon 14:05`: short, and unambiguous within a week. */
export const formatWeekdayTime = (value: string | Date): string =>
  `${write(formats().weekday, value)} ${formatTime(value)}`;

/** `Mon 14:00`, or `Mon 2 PM` with a 12-hour clock: an axis label. */
export const formatWeekdayHour = (value: string | Date): string =>
  `${write(formats().weekday, value)} ${write(formats().fullHour, value)}`;

/** `30 Nov 2026, 14:05 UTC`. */
export const formatInstant = (value: string | Date): string => `${formatDay(value)}, ${formatTime(value)} UTC`;

/** `30 Nov 2026, 14:05:09`, in tables whose header says UTC. */
export const formatSecond = (value: string | Date): string => `${formatDay(value)}, ${write(formats().seconds, value)}`;

/** `4 Dec, 06:00`, local time at a port. @param local without an offset */
export const formatPortTime = (local: string): string => `${formatShortDay(`${local}Z`)}, ${formatTime(`${local}Z`)}`;

/** `+08:00` as `UTC+8`, `+05:30` as `UTC+5:30`. */
export const formatOffset = (offset: string): string => {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const isZero = hours === "00" && minutes === "00";
  return isZero ? "UTC" : `UTC${sign === "-" ? "−" : "+"}${Number(hours)}${minutes === "00" ? "" : `:${minutes}`}`;
};

/** `$1,234.50`, `−$5.00`. The amount is in the currency's minor units, which for most are cents. */
export const formatMoney = (cents: number, currency = "USD"): string =>
  plain(formats().money(currency)(majorUnits(cents, currency)));

/** `$1,250`, or `$2.50` with a fraction: an axis label. */
export const formatRoundMoney = (cents: number, currency = "USD"): string =>
  plain(formats().roundMoney(currency)(majorUnits(cents, currency)));

/** `12,345`. */
export const formatNumber = (value: number): string => plain(formats().whole.format(value));

/** `12.3K`, where space is short. */
export const formatCompact = (value: number): string => plain(formats().compact.format(value));

/** `$4.5K`, an axis label. */
export const formatCompactMoney = (cents: number, currency = "USD"): string =>
  plain(formats().compactMoney(currency).format(majorUnits(cents, currency)));

const majorUnits = (amount: number, currency: string): number => amount / 10 ** minorDigitsOf(currency);

/** A share from 0 to 1: `2.4%`. */
export const formatShare = (share: number): string => plain(formats().share.format(share));

/** A change of a share: `+2.4%`, `−0.3%`, `0%`. */
export const formatChange = (share: number): string => signed(formats().change.format(share));

/** A difference: `+2.4`, `−1`, `0`. */
export const formatDifference = (value: number): string => signed(formats().difference.format(value));

/** `10,537 nm`. */
export const formatNauticalMiles = (miles: number): string => `${formatNumber(miles)} nm`;

/** `31 days`, `1 day`, `2.5 days`. */
export const formatDays = (days: number): string => `${oneDigit(days)} ${days === 1 ? "day" : "days"}`;

/** Departures: `2 per week`, `Weekly`, `Every 2 weeks`. */
export const formatSailings = (perWeek: number): string =>
  perWeek === 1 ? "Weekly" : perWeek > 1 ? `${oneDigit(perWeek)} per week` : `Every ${Math.round(1 / perWeek)} weeks`;

/** `31 days`, `34–40 days`. */
export const formatDayRange = ({ min, max }: { min: number; max: number }): string =>
  min === max ? formatDays(min) : `${min}–${max} days`;

/** `3 routes`, `1 route`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** `37 ms`, `1.2 s`. */
export const formatDuration = (milliseconds: number): string =>
  milliseconds < 1000 ? `${formatNumber(milliseconds)} ms` : `${oneDigit(milliseconds / 1000)} s`;

/** `18.2 KB`, `27.0 KB`: digits line up in a column. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`;
  const tenths = (value: number) => plain(formats().tenths.format(value));
  return bytes < 1_000_000 ? `${tenths(bytes / 1000)} KB` : `${tenths(bytes / 1_000_000)} MB`;
};

/** How far a day is from today (both `YYYY-MM-DD`): `today`, `in 6 days`, `3 days ago`. */
export const formatFromToday = (value: string, today: string): string => {
  const days = Math.round((Date.parse(value) - Date.parse(today)) / 86_400_000);
  if (days === 0) return "today";
  if (days === 1) return "tomorrow";
  if (days === -1) return "yesterday";
  return days > 0 ? `in ${days} days` : `${-days} days ago`;
};

/** How long an instant is over: `now`, `5 min ago`, `2 h ago`, `3 days ago`. */
export const formatAgo = (value: string, now: string): string => {
  const minutes = Math.floor((Date.parse(now) - Date.parse(value)) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
};

const write = (format: Intl.DateTimeFormat, value: string | Date): string => plain(format.format(new Date(value)));

/** With a minus sign as wide as the plus sign. */
const signed = (text: string): string => plain(text).replace("-", "−");

const oneDigit = (value: number): string => plain(formats().oneDigit.format(value));

/** Unicode versions differ in narrow spaces, and server and browser must render the same text. */
const plain = (text: string): string => text.replaceAll("\u202f", "\u00a0");

/** The formats of one locale, cached: at most one entry per region that the runtime knows. */
const formats = (): Formats => {
  const locale = currentLocale();
  const known = formatsOf.get(locale);
  if (known) return known;
  const made = makeFormats(locale);
  formatsOf.set(locale, made);
  return made;
};

type Formats = ReturnType<typeof makeFormats>;
const formatsOf = new Map<string, Formats>();

const makeFormats = (locale: string) => {
  const digits = { numberingSystem: "latn" };
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...digits, timeZone: "UTC", ...options });
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, { ...digits, ...options });
  const moneyFormats = (options: Intl.NumberFormatOptions) => {
    const monies = new Map<string, (amount: number) => string>();
    return (currency: string): ((amount: number) => string) => {
      const known = monies.get(currency);
      const made =
        known ??
        withMarks(
          number({ style: "currency", currency, currencyDisplay: "narrowSymbol", ...options }),
          number({}).formatToParts(12345.6),
        );
      if (!known) monies.set(currency, made);
      return made;
    };
  };
  const compactMonies = new Map<string, Intl.NumberFormat>();
  const compactMoney = (currency: string): Intl.NumberFormat => {
    const made =
      compactMonies.get(currency) ??
      number({
        ...{ style: "currency", currency, currencyDisplay: "narrowSymbol" },
        ...{ notation: "compact", minimumFractionDigits: 0, maximumFractionDigits: 2 },
      });
    compactMonies.set(currency, made);
    return made;
  };
  // Two digits with a 24-hour clock, one where possible with a 12-hour clock.
  const isTwelve = date({ hour: "numeric" }).resolvedOptions().hour12;
  const hour = isTwelve ? "numeric" : "2-digit";
  return {
    day: date({ day: "numeric", month: "short", year: "numeric" }),
    shortDay: date({ day: "numeric", month: "short" }),
    month: date({ month: "short", year: "numeric" }),
    weekday: date({ weekday: "short" }),
    time: date({ hour, minute: "2-digit" }),
    fullHour: date(isTwelve ? { hour } : { hour, minute: "2-digit" }),
    seconds: date({ hour, minute: "2-digit", second: "2-digit" }),
    whole: number({ maximumFractionDigits: 0 }),
    oneDigit: number({ maximumFractionDigits: 1 }),
    tenths: number({ minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    compact: number({ notation: "compact", maximumFractionDigits: 1 }),
    share: number({ style: "percent", maximumFractionDigits: 1 }),
    change: number({ style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" }),
    difference: number({ maximumFractionDigits: 1, signDisplay: "exceptZero" }),
    money: moneyFormats({}),
    roundMoney: moneyFormats({ trailingZeroDisplay: "stripIfInteger" }),
    compactMoney,
  };
};

/**
 * Some regions use other separators for money than for numbers (`1.234,5` and `$1,234.50`); a page uses one kind. The minus
 * sign is that of `signed`.
 */
const withMarks = (format: Intl.NumberFormat, sample: readonly Intl.NumberFormatPart[]) => {
  const marks = new Map<string, string>(sample.map(({ type, value }) => [type, value])).set("minusSign", "−");
  // Formatting to parts takes several times as long.
  const own = format.formatToParts(-12345.6).filter(({ type }) => isMark(type));
  const others = own.filter(({ type, value }) => value !== marks.get(type));
  if (others.every(({ type, value }) => type === "minusSign" && value === "-")) {
    return (amount: number): string => format.format(amount).replace("-", "−");
  }
  return (amount: number): string =>
    format
      .formatToParts(amount)
      .map(({ type, value }) => (isMark(type) ? (marks.get(type) ?? value) : value))
      .join("");
};

const isMark = (type: Intl.NumberFormatPartTypes): boolean => ["group", "decimal", "minusSign"].includes(type);

/** The contract's enum values as people read them: `ro_ro` is `Ro-Ro`, `3_months` is `3 months`. */
export const formatWord = (word: string): string => {
  const known = words[word];
  if (known) return known;
  const spaced = word.replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

/** What an amount is for: `per_container` as "per container". */
export const formatBasis = (basis: string): string => formatWord(basis).replace(/^Per/, "per");

const words: Record<string, string> = {
  ro_ro: "Ro-Ro",
  break_bulk: "Break bulk",
  head_haul: "Headhaul",
  back_haul: "Backhaul",
  real_time: "Real-time",
  tonnes_dwt: "tonnes DWT",
  lane_metres: "lane metres",
  freight_tonnes: "freight tonnes",
  per_teu: "per TEU",
  per_bl: "per B/L",
};
