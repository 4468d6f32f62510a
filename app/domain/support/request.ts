/** What people ask of us, and how far it is. @spec What the service does (technical support) */

import { z } from "zod";
import { type Plan, plans } from "../plans/plans.ts";

export const topics = ["technical", "billing", "data", "plan", "other"] as const;
export type Topic = (typeof topics)[number];

/** `open`: we are to answer; `answered`: the holder may; `closed`: done. */
export const supportStatuses = ["open", "answered", "closed"] as const;
export type SupportStatus = (typeof supportStatuses)[number];

export type SupportRequest = {
  id: number;
  topic: Topic;
  subject: string;
  status: SupportStatus;
  /** Of a request for another plan. */
  requestedPlan: Plan | null;
  createdAt: Date;
  /** Of the last message or change of status. */
  updatedAt: Date;
};

export type SupportMessage = {
  id: number;
  byOperator: boolean;
  /** Null: the account is gone. */
  author: string | null;
  body: string;
  createdAt: Date;
};

export type Conversation = { request: SupportRequest; messages: SupportMessage[] };

/** How many requests of one account may wait at a time, those that wait for the holder included. */
export const maxUnclosedRequests = 10;

export const textLimits = { subject: 120, message: 5_000, reference: 120 } as const;

export const supportTopic = z.enum(topics, "Choose a topic");

const subject = z
  .string()
  .trim()
  .min(3, "Give it a subject of at least 3 characters")
  .max(textLimits.subject, `At most ${textLimits.subject} characters`);

/** Browsers send line ends as CRLF. */
export const messageBody = z
  .string()
  .transform((text) => text.replaceAll("\r\n", "\n").trim())
  .pipe(
    z
      .string()
      .min(1, "Write a message")
      .max(textLimits.message, `At most ${textLimits.message.toLocaleString("en-US")} characters`),
  );

const reference = z.string().trim().max(textLimits.reference, `At most ${textLimits.reference} characters`).default("");

export const newRequest = z.object({
  /** Another plan is asked for where the plans are. */
  topic: supportTopic,
  subject,
  message: messageBody,
  /** What it is about: a request id, a route's code, an invoice's number. */
  reference,
});
export type NewRequest = z.infer<typeof newRequest>;

export const newPlanRequest = z.object({
  requested_plan: z.enum(plans, "Choose a plan"),
  message: messageBody,
});
export type NewPlanRequest = z.infer<typeof newPlanRequest>;

/** The first message, with what it refers to as its last line. */
export const firstMessage = ({ message, reference: about }: Pick<NewRequest, "message" | "reference">): string =>
  about === "" ? message : `${message}\n\nReference: ${about}`;
