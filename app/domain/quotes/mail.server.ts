/** Mails about quotes: to all operators, or to the account holder. */
import type { Tx } from "../../platform/db.server.ts";
import { operatorIds } from "../accounts/operators.server.ts";
import type { Context } from "../context.ts";
import * as messages from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import type { NamedQuote } from "./queries.server.ts";

type World = Pick<Context, "settings">;

/** What operators hear of: a new request, and the account holder's decision. */
export const notifyOperators = async (
  tx: Tx,
  { settings }: World,
  quote: NamedQuote,
  event: "requested" | "accepted" | "declined" | "withdrawn",
  note: string,
  now: Date,
): Promise<void> => {
  const mail = messages.quoteForOperators(settings.appUrl, { ...quote, event, note });
  for (const accountId of await operatorIds(tx)) {
    await enqueue(tx, { ...mail, accountId, dedupeKey: `quote-${event}:${quote.id}:${accountId}` }, now);
  }
};

/** The holder's offer. Each one is mailed. */
export const notifyOffered = async (tx: Tx, { settings }: World, quote: NamedQuote, now: Date): Promise<void> => {
  const { id, accountId, offerNumber, offer } = quote;
  if (!offer) return;
  const mail = messages.quoteOffered(settings.appUrl, { ...quote, offer });
  await enqueue(tx, { ...mail, accountId, dedupeKey: `quote-offered:${id}:${offerNumber}` }, now);
};

/** The end of a quote that the account holder has not decided. */
export const notifyEnded = async (
  tx: Tx,
  { settings }: World,
  quote: Pick<NamedQuote, "id" | "accountId">,
  ended: { as: "expired" | "withdrawn"; note: string },
  now: Date,
): Promise<void> => {
  const { id, accountId } = quote;
  const mail = messages.quoteEnded(settings.appUrl, { id, ...ended });
  await enqueue(tx, { ...mail, accountId, dedupeKey: `quote-ended:${id}` }, now);
};
