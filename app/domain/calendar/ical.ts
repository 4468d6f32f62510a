/** Writes iCalendar files (RFC 5545). */
import type { Day } from "../dates.ts";

/** An event of one whole day, which does not block the calendar. */
export type CalendarEvent = {
  /** The same in every version of the event, and different from those of all others. */
  uid: string;
  day: Day;
  summary: string;
  description: string;
  url: string;
};

/** @param now when the calendar was read */
export const icalOf = (name: string, events: readonly CalendarEvent[], now: Date): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Shipping Route Data Service//Renewal calendar//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escaped(name)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT12H",
    ...events.flatMap((event) => [
      "BEGIN:VEVENT",
      `UID:${event.uid}`,
      `DTSTAMP:${compact(now.toISOString().replace(/\.\d+Z$/, "Z"))}`,
      `DTSTART;VALUE=DATE:${compact(event.day)}`,
      `SUMMARY:${escaped(event.summary)}`,
      `DESCRIPTION:${escaped(event.description)}`,
      `URL:${event.url}`,
      "TRANSP:TRANSPARENT",
      "END:VEVENT",
    ]),
    "END:VCALENDAR",
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join("");

/** `2026-11-20T09:30:00Z` becomes `20261120T093000Z`. */
const compact = (time: string): string => time.replace(/[-:]/g, "");

const escaped = (text: string): string => text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");

const longestLine = 75;

/** Splits a line after 75 bytes at most, between characters. Every further line begins with a space. */
const folded = (line: string): string => {
  const lines = [""];
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > longestLine) {
      lines.push("");
      // The space that begins the line.
      bytes = 1;
    }
    lines[lines.length - 1] += character;
    bytes += size;
  }
  return lines.join("\r\n ");
};
