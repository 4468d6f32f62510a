/** What is wrong with a file, or unusual in it, and where. */
export type Finding = {
  /** As a text editor and a spreadsheet count: the first line is 1. */
  row: number;
  /** Empty if it concerns the whole row. */
  column: string;
  code: FindingCode;
  /** A sentence that says what to do. */
  message: string;
  /** As written in the file, shortened. */
  value: string;
};

/** The closed list of codes. A program that corrects files can rely on them; the messages may change. */
export const findingCodes = [
  // The file
  "syntax", // not CSV or JSON: an open quote, a line that is no object
  "encoding", // not UTF-8, or a character that cannot be stored
  "too_long", // a line or a text over its limit
  "wrong_cells", // more or fewer cells than the first line names
  "no_rows",
  // A value
  "missing",
  "malformed", // not the form of a number, code, date …
  "not_allowed", // not one of a closed list
  "out_of_range",
  "negative",
  "over_precise", // more decimals than the currency has
  "formula", // text that a spreadsheet would run
  "not_offset", // a time without an offset from UTC
  "in_future",
  "in_past", // a change of what has happened already
  "wrong_currency",
  // Other rows and the catalogue
  "unknown_code", // no such port, route, carrier …
  "retired", // the record it refers to is off sale
  "duplicate", // another row of the file has the same key
  "contradiction", // other cells or rows say something else
  "overlap", // two validities, or two periods, share days
  "no_period", // the route has no period for that day
  "wrong_cargo_type", // a port, carrier or group does not handle the cargo
  "wrong_basis", // rates of this cargo type have another basis
  "wrong_unit",
  "no_exchange_rate",
  "same_port",
  "too_short", // a distance below the great circle
  "unlikely_speed",
  "over_capacity",
] as const;
export type FindingCode = (typeof findingCodes)[number];
