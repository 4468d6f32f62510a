/** The audit log for people. */
import type { Act } from "../../../domain/accounts/activity.server.ts";
import { formatCount, formatWord } from "../../../portal/format.ts";

/** `Created the API key "Rate sync"`. An action without words of its own is told by its name. */
export const describeAct = ({ action, details }: Pick<Act, "action" | "details">): string =>
  words[action]?.(details) ?? formatWord(action.replace(".", " "));

export const actorInWords = {
  holder: "you",
  operator: "our staff",
  service: "the service",
} as const satisfies Record<Act["actor"], string>;

type Details = Act["details"];

const words: Record<string, (details: Details) => string> = {
  "account.registered": () => "Opened the account",
  "account.suspended": ({ reason }) =>
    reason === "dispute" ? "Suspended the account: a payment was disputed" : "Suspended the account",
  "api_key.created": (details) => `Created the API key ${keyOf(details)}`,
  "api_key.activated": (details) => `Activated the API key ${keyOf(details)}`,
  "api_key.deactivated": (details) => `Deactivated the API key ${keyOf(details)}`,
  "api_key.deleted": (details) => `Deleted the API key ${keyOf(details)}`,
  "card.saved": ({ brand, last4 }) => `Saved the card ${formatWord(String(brand))} •••• ${last4}`,
  "password.changed": (details) => `Changed the password${andEnded(details)}`,
  "password.reset": (details) => `Set a new password by a link in a mail${andEnded(details)}`,
  "session.revoked": ({ kind }) => (kind === "bearer" ? "Revoked a bearer token" : "Signed out another browser"),
  "session.others_revoked": (details) => `Signed out everywhere else${andEnded(details)}`,
  "subscription.auto_renew_set": (details) =>
    `Turned auto-renewal of ${subscriptionOf(details)} ${details.auto_renew ? "on" : "off"}`,
  "subscription.cancelled": (details) => `Cancelled ${subscriptionOf(details)}`,
  "subscription.resumed": (details) => `Resumed ${subscriptionOf(details)}`,
  "support_request.answered": (details) => `Answered ${requestOf(details)}`,
  "support_request.closed": (details) => `Closed ${requestOf(details)}`,
  "support_request.opened": (details) => `Opened ${requestOf(details)}`,
  "support_request.reopened": (details) => `Reopened ${requestOf(details)}`,
  "support_request.replied": (details) => `Replied in ${requestOf(details)}`,
};

const keyOf = ({ name, api_key_id }: Details) => (name ? `“${name}”` : `number ${api_key_id}`);

const subscriptionOf = ({ subscription_id }: Details) => `subscription ${subscription_id}`;

const requestOf = ({ support_request_id }: Details) => `support request ${support_request_id}`;

const andEnded = ({ ended_sessions }: Details) =>
  Number(ended_sessions) > 0 ? `; ${formatCount(Number(ended_sessions), "session")} ended` : "";
