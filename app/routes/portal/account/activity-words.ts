/** Wording of the account's activity log. */
import type { Action, AuditDetails } from "#app/domain/accounts/action.ts";
import type { Act } from "#app/domain/accounts/activity.server.ts";
import { formatCount, formatDay, formatInstant, formatMoney, formatNumber, formatWord } from "#app/portal/format.ts";
import { describeUserAgent } from "./user-agent.ts";

/** `Created the API key “Rate sync”`. Actions that only a newer release knows are described by their name. */
export const describeAct = ({ action, details }: Pick<Act, "action" | "details">): string => {
  const describe: ((details: AuditDetails) => string) | undefined = words[action];
  return describe?.(details) ?? formatWord(action.replace(".", " "));
};

const actorInWords = {
  holder: "you",
  operator: "our staff",
  service: "the service",
} as const satisfies Record<Act["actor"], string>;

/** The actor, as worded for the account holder. Refused attempts name no actor, since it may have been anyone. */
export const actorOf = ({ action, actor }: Pick<Act, "action" | "actor">): string =>
  refusedActs.has(action) ? "someone" : actorInWords[actor];

const refusedActs: ReadonlySet<Action> = new Set(["second_factor.refused", "passkey.copy_suspected"]);

const words = {
  "account.closed": () => "Closed the account",
  "account.registered": () => "Opened the account",
  "account.suspended": ({ reason }) =>
    `Suspended the account: ${reason === "dispute" ? "a payment was disputed" : reason}`,
  "account.restored": (details) => `Restored the account${because(details)}`,
  "account.plan_changed": (details) => `Changed the plan from ${details.from} to ${details.to}${because(details)}`,
  "account.statements_set": ({ by_mail }) =>
    by_mail ? "Turned on monthly statements by e-mail" : "Turned off monthly statements by e-mail",
  "account.quota_alerts_set": ({ by_mail }) =>
    by_mail ? "Turned quota alerts by e-mail on" : "Turned quota alerts by e-mail off",
  "account.hourly_limit_set": ({ from, to }) =>
    `Set the hourly limit to ${to === null ? "the plan's" : formatNumber(Number(to))}; it was ${from === null ? "the plan's" : formatNumber(Number(from))}`,
  "account.discount_agreed": ({ from, to, through }) =>
    `Set the agreed discount to ${to === null ? "none" : `${to}%`}${through ? `, last day ${through}` : ""}; it was ${from === null ? "none" : `${from}%`}`,
  "api_key.created": (details) => `Created the API key ${keyOf(details)}`,
  "api_key.activated": (details) => `Activated the API key ${keyOf(details)}`,
  "api_key.deactivated": (details) => `Deactivated the API key ${keyOf(details)}`,
  "api_key.deleted": (details) => `Deleted the API key ${keyOf(details)}`,
  "api_key.addresses_set": ({ name, allowed_addresses }) =>
    allowed_addresses === null
      ? `Opened the API key “${name}” to all addresses`
      : `Limited the API key “${name}” to requests from ${allowed_addresses}`,
  "api_key.leaked": ({ name, found_at }) =>
    `Revoked the API key “${name}”, because somebody found it${found_at === null ? "" : ` at ${found_at}`}`,
  "api_key.limit_set": ({ name, hourly_limit }) =>
    hourly_limit === null
      ? `Removed the hourly limit of the API key “${name}”`
      : `Limited the API key “${name}” to ${formatCount(Number(hourly_limit), "request")} an hour`,
  "api_key.expiry_set": (details) =>
    `Set the API key ${keyOf(details)} to ${details.expires_at ? `expire on ${formatInstant(String(details.expires_at))}` : "not expire"}`,
  "api_key.rotated": (details) => `Rotated the API key ${keyOf(details)}`,
  "billing_details.changed": () => "Changed the billing details",
  "calendar_feed.created": () => "Created a secret address for the renewal calendar",
  "calendar_feed.revoked": () => "Revoked the address of the renewal calendar",
  "card.saved": (details) => `Saved the card ${cardOf(details)}`,
  "card.made_default": (details) => `Chose the card ${cardOf(details)} for renewals`,
  "card.removed": (details) => `Removed the card ${cardOf(details)}`,
  "catalogue.reference_data_loaded": (details) => `Loaded the reference data into the catalogue${by(details)}`,
  "catalogue_record.created": (details) => `Added ${recordOf(details)}${by(details)}`,
  "catalogue_record.changed": (details) => `Changed ${recordOf(details)}: ${details.fields}${by(details)}`,
  "catalogue_record.retired": (details) => `Retired ${recordOf(details)}${by(details)}`,
  "catalogue_record.restored": (details) => `Restored ${recordOf(details)}${by(details)}`,
  "catalogue_import.applied": (details) => `Applied ${importOf(details)} to the catalogue`,
  "catalogue_import.checked": (details) => `Brought ${importOf(details)} for the catalogue`,
  "catalogue_import.discarded": (details) => `Discarded ${importOf(details)}`,
  "exchange_rate.set": (details) =>
    `Set the exchange rate of ${details.base} to ${details.rate} ${details.quote} as of ${details.as_of} (${details.source})${by(details)}`,
  "job.run_requested": ({ job }) => `Ran the job ${job} out of its turn`,
  "mail.given_up": ({ message_id }) => `Gave up sending message ${message_id}`,
  "mail.retried": ({ message_id }) => `Sent message ${message_id} again`,
  "email.verified": () => "Confirmed the e-mail address",
  "email.change_requested": ({ to }) => `Asked for the e-mail address ${to}`,
  "email.changed": ({ from, to }) => `Changed the e-mail address from ${from} to ${to}`,
  "operator.granted": () => "Made this account one of our operators",
  "operator.revoked": () => "Made this account an ordinary one again",
  "quote.requested": ({ quote_id, routes }) =>
    `Requested quote ${quote_id} for ${formatCount(Number(routes), "route")}`,
  "quote.offered": ({ quote_id, percent, valid_through }) =>
    `Offered ${percent}% off for quote ${quote_id}, last day ${formatDay(String(valid_through))}`,
  "quote.accepted": ({ quote_id, amount_cents }) =>
    `Accepted quote ${quote_id} for ${formatMoney(Number(amount_cents))}`,
  "quote.declined": ({ quote_id }) => `Declined quote ${quote_id}`,
  "quote.expired": ({ quote_id }) => `Quote ${quote_id} expired`,
  "quote.withdrawn": ({ quote_id }) => `Withdrew quote ${quote_id}`,
  "order.charged_back": ({ order_id }) => `Ended what order ${order_id} had bought: the bank returned its payment`,
  "order.paid": (details) => `${paidFor(details)} for ${amountOf(details)}, invoice ${details.invoice}`,
  "order.refunded": (details) => `Refunded ${amountOf(details)}, credit note ${details.credit_note}`,
  "payment.disputed": (details) =>
    `Your bank reported a dispute over ${amountOf(details)} of order ${details.order_id}`,
  "payment.dispute_ended": (details) =>
    `The dispute over ${amountOf(details)} of order ${details.order_id} ended: ${details.status}`,
  "payment.returned": (details) =>
    `Refused a payment of ${amountOf(details)} and refunds it: ${returnReasons[String(details.reason)] ?? "its price lock had ended"}`,
  "period.closed": ({ period, ends_on }) => `Closed the period ${period} on ${ends_on}`,
  "plan.price_set": (details) =>
    `Set the price of the ${details.plan} plan to ${amountOf(details)} per month${by(details)}`,
  "plan.price_withdrawn": (details) => `Withdrew the price of the ${details.plan} plan${by(details)}`,
  "passkey.added": ({ name }) => `Added the passkey “${name}”`,
  "passkey.copy_suspected": ({ name }) => `Tried to use what may be a copy of the passkey “${name}”`,
  "passkey.removed": ({ name }) => `Removed the passkey “${name}”`,
  "passkey.renamed": ({ name }) => `Renamed a passkey to “${name}”`,
  "password.changed": (details) => `Changed the password${andEnded(details)}${andRevoked(details)}`,
  "password.reset": (details) =>
    `Set a new password by a link in an e-mail${andEnded(details)}${andRevoked(details)}${
      details.removed_access ? "; removed everything that was set up before the address was confirmed" : ""
    }`,
  "refund.ordered": (details) => `Ordered a refund of ${amountOf(details)}${because(details)}`,
  "recovery_code.used": ({ left }) => `Used a recovery code; ${left} left`,
  "recovery_codes.renewed": () => "Made new recovery codes",
  "route.period_policy_set": ({ code, policy }) => `Set the periods of the route ${code} to ${policy}`,
  "route.sample_marked": ({ code, replaces }) =>
    `Opened the route ${code} to everybody as a sample${replaces ? `, in place of ${replaces}` : ""}`,
  "route.sample_unmarked": ({ code }) => `Ended the sample of the route ${code}`,
  "second_factor.refused": () => "Gave the right password and a wrong code",
  "trade_lane.promise_set": ({ code }) => `Set how old data may be on the trade lane ${code}`,
  "two_factor.app_added": () => "Added an authenticator app",
  "two_factor.app_removed": () => "Removed the authenticator app",
  "two_factor.turned_on": () => "Turned two-factor sign-in on",
  "two_factor.turned_off": () => "Turned two-factor sign-in off",
  "two_factor.removed": (details) =>
    `Turned two-factor sign-in off for the account holder${because(details)}${andEnded(details)}`,
  "session.opened": (details) =>
    `${details.kind === "bearer" ? "Got a bearer token" : details.by === "passkey" ? "Signed in by passkey," : "Signed in"} with ${programOf(details)}${from(details)}`,
  "session.confirmed": ({ by }) => `Confirmed their identity${by === "passkey" ? " by passkey" : ""}`,
  "session.revoked": ({ kind }) => (kind === "bearer" ? "Revoked a bearer token" : "Signed out another browser"),
  "session.others_revoked": (details) => `Signed out everywhere else${andEnded(details)}`,
  "session.all_revoked": (details) => `Signed out everywhere${andEnded(details)}`,
  "subscription.auto_renew_set": (details) =>
    details.auto_renew
      ? `Turned auto-renewal of ${subscriptionOf(details)} on${forTerm(details)}`
      : `Turned auto-renewal of ${subscriptionOf(details)} off`,
  "subscription.cancelled": (details) => `Cancelled ${subscriptionOf(details)}`,
  "subscription.renewal_declined": (details) =>
    `Could not charge ${amountOf(details)} to renew ${subscriptionOf(details)}`,
  "subscription.resumed": (details) => `Resumed ${subscriptionOf(details)}`,
  "support_request.answered": (details) => `Answered ${requestOf(details)}`,
  "support_request.closed": (details) => `Closed ${requestOf(details)}`,
  "support_request.opened": (details) => `Opened ${requestOf(details)}`,
  "support_request.reopened": (details) => `Reopened ${requestOf(details)}`,
  "support_request.replied": (details) => `Replied in ${requestOf(details)}`,
  "period.price_frozen": (details) => `Froze ${periodPrice(details)}`,
  "period.price_overridden": (details) => `Set ${periodPrice(details)}`,
  "period.price_released": (details) =>
    `Gave the price of the period ${details.code} back to the calculation${by(details)}`,
  "trade_lane.price_set": (details) =>
    `Set the base price of the trade lane ${details.code} to ${amountOf(details)} from ${details.valid_from}${by(details)}`,
  "webhook_endpoint.created": (details) => `Created ${endpointOf(details)}`,
  "webhook_endpoint.changed": (details) => `Changed ${endpointOf(details)}`,
  "webhook_endpoint.enabled": (details) => `Enabled ${endpointOf(details)}`,
  "webhook_endpoint.disabled": (details) => `Disabled ${endpointOf(details)}${whyDisabled(details)}`,
  "webhook_endpoint.secret_rotated": (details) => `Rotated the signing secret of ${endpointOf(details)}`,
  "webhook_endpoint.deleted": (details) => `Deleted ${endpointOf(details)}`,
} satisfies Record<Action, (details: AuditDetails) => string>;

/** All actions that have a wording. */
export const actions: readonly string[] = Object.keys(words).sort();

const because = ({ reason }: AuditDetails) => (reason ? `: ${reason}` : "");

const keyOf = ({ name, api_key_id }: AuditDetails) => (name ? `“${name}”` : `number ${api_key_id}`);

const cardOf = ({ brand, last4 }: AuditDetails) => `${formatWord(String(brand))} •••• ${last4}`;

const subscriptionOf = ({ subscription_id }: AuditDetails) => `subscription ${subscription_id}`;

const amountOf = ({ amount_cents, currency }: AuditDetails) => formatMoney(Number(amount_cents), String(currency));

const returnReasons: Record<string, string> = {
  account_suspended: "the account was suspended",
  plan_changed: "the plan had changed",
};

const paidFor = (details: AuditDetails): string => {
  const what = details.subscription_id ? subscriptionOf(details) : formatCount(Number(details.subscriptions), "route");
  switch (details.kind) {
    case "renewal":
      return `Renewed ${what}`;
    case "plan":
      return `Bought the ${details.plan} plan`;
    case "term_change":
      return `Changed the term of ${what}`;
    default:
      return `Subscribed to ${formatCount(Number(details.subscriptions), "route")}`;
  }
};

const forTerm = ({ renewal_term }: AuditDetails) =>
  renewal_term ? `, for ${formatWord(String(renewal_term)).toLowerCase()}` : "";

const programOf = ({ program }: AuditDetails) =>
  program ? describeUserAgent(String(program)).replace(/^A /, "a ") : "an unknown program";

const importOf = ({ import_id, kind }: AuditDetails) => `the ${kind ? `${kind} of ` : ""}import ${import_id}`;

const recordOf = ({ kind, code }: AuditDetails) => `the ${String(kind).replace("_", " ")} ${code}`;

const periodPrice = (details: AuditDetails) => {
  const until = details.valid_to ? ` to ${details.valid_to}` : "";
  return `the price of the period ${details.code} at ${amountOf(details)} from ${details.valid_from}${until}${by(details)}${because(details)}`;
};

/** Changes made with a command name the machine's user. */
const by = ({ machine_user }: AuditDetails) => (machine_user ? ` by command, as ${machine_user}` : "");

const requestOf = ({ support_request_id }: AuditDetails) => `support request ${support_request_id}`;

const endpointOf = ({ endpoint_id, host }: AuditDetails) => `webhook endpoint ${endpoint_id} (${host})`;

const whyDisabled = ({ reason }: AuditDetails) =>
  reason === "gone" ? ": it answered 410 Gone" : reason === "failing" ? ": every delivery failed for three days" : "";

const from = ({ address }: AuditDetails) => (address ? ` from ${address}` : "");

const andRevoked = ({ revoked_keys, removed_passkeys }: AuditDetails) =>
  (revoked_keys ? `; ${formatCount(Number(revoked_keys), "API key")} revoked` : "") +
  (removed_passkeys ? `; ${formatCount(Number(removed_passkeys), "passkey")} removed` : "");

const andEnded = ({ ended_sessions }: AuditDetails) =>
  Number(ended_sessions) > 0 ? `; ${formatCount(Number(ended_sessions), "session")} ended` : "";
