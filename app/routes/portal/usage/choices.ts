export type Choice = { value: string; label: string };

/** The options of a filter. They include the chosen value, even if it is not a known one. */
export const choicesOf = (all: string, known: readonly Choice[], chosen: string | null): Choice[] => [
  { value: "", label: all },
  ...known,
  ...(chosen && !known.some(({ value }) => value === chosen) ? [{ value: chosen, label: chosen }] : []),
];
