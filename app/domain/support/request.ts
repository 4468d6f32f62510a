/** Support requests and their messages. @spec What the service does (technical support) */
import { z } from "zod";
import { ownLine, severalLines } from "../input.ts";
import { type Plan, plans } from "../plans/plans.ts";
import { type supportStatuses, topics } from "./enums.ts";

export type Topic = (typeof topics)[number];

export type SupportStatus = (typeof supportStatuses)[number];

export type SupportRequest = {
  id: number;
  topic: Topic;
  subject: string;
  status: SupportStatus;
  /** Only for requests to change the plan. */
  requestedPlan: Plan | null;
  createdAt: Date;
  /** The time of the last message or change of status. */
  updatedAt: Date;
};

export type SupportMessage = {
  id: number;
  byOperator: boolean;
  /** Null: the account was deleted. */
  author: string | null;
  body: string;
  createdAt: Date;
};

export type Conversation = { request: SupportRequest; messages: SupportMessage[] };

/** Per account, open and answered ones. */
export const maxUnclosedRequests = 10;

export const textLimits = { subject: 120, message: 5_000, reference: 120 } as const;

export const supportTopic = z.enum(topics, "Choose a topic");

const subject = z
  .string()
  .trim()
  .min(3, "Enter a subject of at least 3 characters")
  .max(textLimits.subject)
  .regex(...ownLine);

/** Browsers send line ends as CRLF. */
export const messageBody = z
  .string()
  .transform((text) => text.replaceAll("\r\n", "\n").trim())
  .pipe(
    z
      .string()
      .min(1, "Enter a message")
      .max(textLimits.message)
      .regex(...severalLines),
  );

const reference = z
  .string()
  .trim()
  .max(textLimits.reference)
  .regex(...ownLine)
  .default("");

export const newRequest = z.object({
  /** Requests for another plan are made at `/plan`. */
  topic: supportTopic,
  subject,
  message: messageBody,
  /** A request ID, route code or invoice number. */
  reference,
});
export type NewRequest = z.infer<typeof newRequest>;

export const newPlanRequest = z.object({
  requested_plan: z.enum(plans, "Choose a plan"),
  message: messageBody,
});
export type NewPlanRequest = z.infer<typeof newPlanRequest>;

/** The first message, with the reference as its last line. */
export const firstMessage = ({ message, reference: about }: Pick<NewRequest, "message" | "reference">): string =>
  about === "" ? message : `${message}\n\nReference: ${about}`;
