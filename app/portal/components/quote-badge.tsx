import type { QuoteState } from "../../domain/quotes/quote.ts";
import { Badge, type BadgeTone } from "./badge.tsx";

/** The state of a quote, worded for the account holder or the operator. */
export const QuoteBadge = ({ state, reader }: { state: QuoteState; reader: "holder" | "operator" }) => (
  <Badge tone={tones[state][reader]} dot>
    {quoteWords[state][reader]}
  </Badge>
);

export const quoteWords = {
  requested: { holder: "Awaiting offer", operator: "To reply" },
  offered: { holder: "Offer received", operator: "Offered" },
  accepted: { holder: "Awaiting payment", operator: "Accepted" },
  paid: { holder: "Paid", operator: "Paid" },
  declined: { holder: "Declined", operator: "Declined" },
  expired: { holder: "Expired", operator: "Expired" },
  withdrawn: { holder: "Withdrawn", operator: "Withdrawn" },
} as const satisfies Record<QuoteState, Record<"holder" | "operator", string>>;

const tones = {
  requested: { holder: "accent", operator: "warning" },
  offered: { holder: "warning", operator: "accent" },
  accepted: { holder: "warning", operator: "accent" },
  paid: { holder: "success", operator: "success" },
  declined: { holder: "neutral", operator: "neutral" },
  expired: { holder: "neutral", operator: "neutral" },
  withdrawn: { holder: "neutral", operator: "neutral" },
} as const satisfies Record<QuoteState, Record<"holder" | "operator", BadgeTone>>;
