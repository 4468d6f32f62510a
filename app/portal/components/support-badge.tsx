import type { SupportStatus } from "../../domain/support/request.ts";
import { Badge, type BadgeTone } from "./badge.tsx";

/** The status of a support request, worded for the account holder or the operator. */
export const SupportBadge = ({ status, reader }: { status: SupportStatus; reader: "holder" | "operator" }) => (
  <Badge tone={tones[status][reader]} dot>
    {supportWords[status][reader]}
  </Badge>
);

export const supportWords = {
  open: { holder: "Waiting for our reply", operator: "To reply" },
  answered: { holder: "Answered", operator: "Answered" },
  closed: { holder: "Closed", operator: "Closed" },
} as const satisfies Record<SupportStatus, Record<"holder" | "operator", string>>;

const tones = {
  open: { holder: "accent", operator: "warning" },
  answered: { holder: "success", operator: "success" },
  closed: { holder: "neutral", operator: "neutral" },
} as const satisfies Record<SupportStatus, Record<"holder" | "operator", BadgeTone>>;

/** Display names of the topics. */
export const topicWords = {
  technical: "Technical",
  billing: "Billing",
  data: "Route data",
  plan: "Plan and limits",
  other: "Other",
} as const;
