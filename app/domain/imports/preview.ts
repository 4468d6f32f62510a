/** What a file would change, as it is shown before it is applied. */

/** One record that would change. A new one has no `before`. */
export type RecordChange = {
  /** What identifies it, such as a code. */
  key: string;
  fields: { name: string; before: string | null; after: string | null }[];
};

/** A base price that would change, and the number of periods on sale whose price follows. Amounts in cents. */
export type PriceChange = {
  code: string;
  beforeCents: number | null;
  afterCents: number;
  validFrom: string;
  periods: number;
};

export type Preview = {
  /** The first ones, changed before new. */
  changes: RecordChange[];
  prices: PriceChange[];
  /** The existing routes that the changes concern, and the active subscriptions to them. */
  touched: { routes: number; subscriptions: number };
};

/** A row as it was read, with long values shortened. */
export type FirstRow = { row: number; cells: Record<string, string> };
