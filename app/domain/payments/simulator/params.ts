import { badRequest, missingParam } from "./failure.ts";

/**
 * Parameters in Stripe's encoding: form-encoded, nested with brackets (`card[number]`). An empty string means "unset".
 * Every reader throws Stripe's own error for a bad value.
 */
export type Params = {
  text(name: string): string | undefined;
  required(name: string): string;
  integer(name: string): number | undefined;
  flag(name: string): boolean;
  /** `name[0]`, `name[]` … in order. */
  list(name: string): string[];
  /** `name[key]` as a record. */
  record(name: string): Record<string, string>;
  /** Whether there is any parameter `name[…]`. */
  hasGroup(name: string): boolean;
  allowOnly(names: readonly string[]): void;
};

export const readParams = (source: URLSearchParams): Params => {
  const values = new Map(source);
  const text = (name: string) => values.get(name) || undefined;
  const under = (name: string) => [...source].filter(([key]) => key.startsWith(`${name}[`));
  return {
    text,
    required: (name) => {
      const value = text(name);
      if (value === undefined) throw missingParam(name);
      return value;
    },
    integer: (name) => {
      const value = text(name);
      if (value === undefined) return undefined;
      if (!/^-?\d{1,15}$/.test(value)) {
        throw badRequest(`Invalid integer: ${value}`, { code: "parameter_invalid_integer", param: name });
      }
      return Number(value);
    },
    flag: (name) => {
      const value = text(name) ?? "false";
      if (value !== "true" && value !== "false") throw badRequest(`Invalid boolean: ${value}`, { param: name });
      return value === "true";
    },
    list: (name) => under(name).map(([, value]) => value),
    record: (name) => Object.fromEntries(under(name).map(([key, value]) => [key.slice(name.length + 1, -1), value])),
    hasGroup: (name) => under(name).length > 0,
    allowOnly: (names) => {
      for (const key of values.keys()) {
        const root = key.replace(/\[.*$/s, "");
        if (!names.includes(root)) {
          throw badRequest(`Received unknown parameter: ${root}`, { code: "parameter_unknown", param: root });
        }
      }
    },
  };
};
