/** The text format of COPY. */
/** A value of a row that is copied. */
export type CopyValue = string | number | boolean | null | undefined | Date | readonly (string | number)[];

/** A row in COPY's text format. Joining makes one flat string; adding to a string would leave dozens for the collector. */
export const copyLine = (values: readonly CopyValue[]): string => {
  const fields = new Array<string>(values.length);
  for (let i = 0; i < values.length; i++) fields[i] = copyField(values[i]);
  return `${fields.join("\t")}\n`;
};

const copyField = (value: CopyValue): string => {
  if (value === null || value === undefined) return "\\N";
  if (typeof value === "string") return escaped(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof Date) return value.toISOString();
  return escaped(arrayLiteral(value));
};

const arrayLiteral = (items: readonly (string | number)[]): string =>
  `{${items.map((item) => `"${String(item).replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;

const escaped = (text: string): string =>
  /[\\\t\n\r]/.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? character) : text;

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
