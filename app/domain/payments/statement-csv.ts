import { csv } from "../csv.ts";
import { isoInstant } from "../dates.ts";
import type { Statement } from "./statement.ts";

/** A line for each entry, with the balance after it. Disputes are not part of the balance and have no line. */
export const statementCsv = ({ currency, openingCents, entries }: Statement): string => {
  let balanceCents = openingCents;
  return csv(
    header,
    entries.map(({ at, kind, document, amountCents, card }) => {
      balanceCents += amountCents;
      const { brand = null, last4 = null } = card ?? {};
      return [isoInstant(at), kind, document.number, currency, amountCents, balanceCents, brand, last4];
    }),
  );
};

const header = [
  "occurred_at",
  "kind",
  "document_number",
  "currency",
  "amount_cents",
  "balance_cents",
  "card_brand",
  "card_last4",
];
