/** The content of all mails. `text.ts` and `html.ts` render it. @spec States and transitions (reminders) */
import { type Day, lastDayOf } from "../dates.ts";
import { money } from "../money.ts";
import { type Plan, type PlanLimits, planLimits, storageInWords } from "../plans/plans.ts";
import { capitalised, counted, dayInWords, grouped, instantInWords, monthInWords } from "../wording.ts";

export type Fact = { label: string; value: string };

export type Message = {
  subject: string;
  /** What happened, and what follows. */
  paragraphs: readonly string[];
  facts: readonly Fact[];
  /** Facts about several subjects, after the common ones. */
  groups?: readonly FactGroup[];
  /** The call to action. */
  action: { lead: string; label: string; url: string };
  /** Stops mail of this kind by one click, at the end of the message and in its header. */
  unsubscribe?: { label: string; url: string };
  /** The site's address, without a trailing slash. */
  appUrl: string;
};

export type FactGroup = { title: string; facts: readonly Fact[]; links: readonly { label: string; url: string }[] };

/** `endDate` is the first day without access. Mails name the day before, the last one with it. */
export type MailedSubscription = { routeName: string; endDate: Day };
type MailedRenewal = MailedSubscription & { subscriptionId: number };

/** Opens the payment of exactly this renewal. Once it is paid, the page says so. */
const payLink = (appUrl: string, { subscriptionId, endDate }: MailedRenewal): string =>
  `${appUrl}/subscriptions/${subscriptionId}/pay?end=${endDate}`;

type Receipt = {
  invoice: string;
  /** With tax. */
  amountCents: number;
  taxCents: number;
  currency: string;
  /** Before tax. */
  lines: { name: string; startDate: Day; endDate: Day; totalCents: number }[];
};

export const receipt = (appUrl: string, { invoice, amountCents, taxCents, currency, lines }: Receipt): Message => ({
  appUrl,
  subject: `Your receipt: invoice ${invoice}`,
  paragraphs: [
    `Thank you. We have received your payment of ${money(amountCents, currency)}${taxCents > 0 ? `, of which ${money(taxCents, currency)} is tax` : ""}.`,
    "Each line shows the first and the last day with access.",
  ],
  facts: lines.map((line) => ({
    label: line.name,
    value: `${dayInWords(line.startDate)} – ${lastDayInWords(line)}, ${money(line.totalCents, currency)}`,
  })),
  action: { lead: "To see your invoices, open", label: "View invoices", url: `${appUrl}/billing` },
});

export const monthlyStatement = (
  appUrl: string,
  statement: { month: string; openingCents: number; closingCents: number; currency: string } & Record<
    "invoicedCents" | "creditedCents" | "paidCents" | "refundedCents",
    number
  >,
): Message => {
  const { month, currency } = statement;
  return {
    appUrl,
    subject: `Your statement for ${monthInWords(month)}`,
    paragraphs: [
      `Here is what we invoiced, and what you paid and got back, in ${monthInWords(month)}. The page lists every entry and has PDF and CSV files.`,
    ],
    facts: [
      { label: "Opening balance", value: money(statement.openingCents, currency) },
      { label: "Invoices", value: money(statement.invoicedCents, currency) },
      { label: "Payments", value: money(-statement.paidCents, currency) },
      { label: "Credit notes", value: money(-statement.creditedCents, currency) },
      { label: "Refunds", value: money(statement.refundedCents, currency) },
      { label: "Closing balance", value: money(statement.closingCents, currency) },
    ],
    action: { lead: "To see every entry, open", label: "View statement", url: `${appUrl}/billing/statements/${month}` },
  };
};

export type ComingCharge = {
  date: Day;
  amountCents: number;
  currency: string;
  /** The account has no card that can be charged. */
  needsCard: boolean;
  /** What was last paid for the same term, and why that has changed, as sentences. Null: it was never paid before. */
  lastPaid: { amountCents: number; whatChanged: string } | null;
};

/** @param charge the coming charge of auto-renewal; null when nothing will be charged */
export const reminder = (
  appUrl: string,
  { routeName, endDate }: MailedSubscription,
  daysLeft: number,
  charge: ComingCharge | null,
): Message => {
  const lastDay = lastDayInWords({ endDate });
  const left = counted(daysLeft, "day");
  const facts = [
    { label: "Route", value: routeName },
    { label: "Last day", value: lastDay },
  ];
  if (!charge) {
    return {
      appUrl,
      subject: `Your subscription to ${routeName} has ${left} left`,
      paragraphs: [
        `Your subscription to ${routeName} has ${left} left. Your last day with access is ${lastDay}. It does not renew automatically.`,
      ],
      facts,
      action: { lead: "To keep access, renew it", label: "Renew subscription", url: `${appUrl}/subscriptions` },
    };
  }
  const amount = money(charge.amountCents, charge.currency);
  const chargeDay = dayInWords(charge.date);
  return {
    appUrl,
    subject: charge.needsCard
      ? `Your subscription to ${routeName} needs a card to renew`
      : `Your subscription to ${routeName} renews on ${chargeDay}`,
    paragraphs: [
      ...(charge.needsCard
        ? [
            `Your subscription to ${routeName} is set to renew automatically, but your account has no card for renewals. Its current term has ${left} left; the last day is ${lastDay}.`,
            `To renew it, choose a card before ${chargeDay}. We will then charge ${amount}. This price will not change unless you change the term.`,
          ]
        : [
            `Your subscription to ${routeName} renews automatically. Its current term has ${left} left; the last day is ${lastDay}.`,
            `We will charge your card ${amount} on ${chargeDay}. This price will not change unless you change the term.`,
          ]),
      ...priceChangeOf(charge),
    ],
    facts: [
      ...facts,
      { label: "Charge on", value: chargeDay },
      { label: "Amount", value: amount },
      ...(charge.lastPaid ? [{ label: "Last paid", value: money(charge.lastPaid.amountCents, charge.currency) }] : []),
    ],
    action: charge.needsCard
      ? { lead: "To choose a card for renewals, open", label: "Choose a card", url: `${appUrl}/billing/cards` }
      : {
          lead: "To change the term, turn off auto-renewal or cancel, open",
          label: "Manage subscription",
          url: `${appUrl}/subscriptions`,
        },
  };
};

const lastDayInWords = ({ endDate }: { endDate: Day }): string => dayInWords(lastDayOf(endDate));

/** Nothing when the price is the same as last time. */
const priceChangeOf = ({ amountCents, currency, lastPaid }: ComingCharge): string[] => {
  if (!lastPaid || lastPaid.amountCents === amountCents) return [];
  return [
    `Last time you paid ${money(lastPaid.amountCents, currency)} for the same term. ${lastPaid.whatChanged}`.trim(),
  ];
};

/** For a subscription that should have renewed, but no charge has succeeded. */
export const lastReminder = (appUrl: string, renewal: MailedRenewal, daysLeft: number): Message => ({
  appUrl,
  subject: `Your subscription to ${renewal.routeName} has ${counted(daysLeft, "day")} left: the renewal is not paid`,
  paragraphs: [
    `Your subscription to ${renewal.routeName} should have renewed automatically, but no payment has succeeded. Unless you pay for the renewal, your last day with access is ${lastDayInWords(renewal)}.`,
  ],
  facts: [
    { label: "Route", value: renewal.routeName },
    { label: "Last day", value: lastDayInWords(renewal) },
  ],
  action: updateCard(appUrl, renewal),
});

type FailedCharge = MailedRenewal & {
  amountCents: number;
  currency: string;
  /** Why the charge failed, as a sentence. */
  reason: string;
  /** The day of the next attempt. Null after the last one. */
  nextTry: Day | null;
};

export const chargeFailed = (appUrl: string, charge: FailedCharge): Message => ({
  appUrl,
  subject: `Payment failed: renewal of ${charge.routeName}`,
  paragraphs: [couldNotCharge(charge), whatNext(charge)],
  facts: factsOf(charge),
  action: updateCard(appUrl, charge),
});

/** The account has no card, or the provider no longer has it. */
export const cardMissing = (appUrl: string, charge: FailedCharge): Message => ({
  appUrl,
  subject: `Choose a card to renew your subscription to ${charge.routeName}`,
  paragraphs: [couldNotCharge(charge), `We charge nothing until you choose a card for renewals. ${unlessPaid(charge)}`],
  facts: factsOf(charge),
  action: updateCard(appUrl, charge),
});

/** The bank requires authentication (SCA) by the cardholder. */
export const authenticationNeeded = (appUrl: string, charge: FailedCharge): Message => ({
  appUrl,
  subject: `Your bank asks you to approve the renewal of ${charge.routeName}`,
  paragraphs: [couldNotCharge(charge), whatNext(charge)],
  facts: factsOf(charge),
  action: {
    lead: "To approve the payment, open",
    label: "Approve and pay now",
    url: payLink(appUrl, charge),
  },
});

const couldNotCharge = ({ amountCents, currency, routeName, reason }: FailedCharge): string =>
  `We could not charge ${money(amountCents, currency)} to renew your subscription to ${routeName}. ${reason}`;

const whatNext = (charge: FailedCharge): string =>
  `${charge.nextTry ? `We will try again on ${dayInWords(charge.nextTry)}; you can also pay now.` : "We will not try again."} ${unlessPaid(charge)}`;

const unlessPaid = (charge: FailedCharge): string =>
  `Unless the renewal is paid, your last day with access is ${lastDayInWords(charge)}.`;

const factsOf = (charge: FailedCharge): Fact[] => [
  { label: "Route", value: charge.routeName },
  { label: "Last day", value: lastDayInWords(charge) },
  { label: "Amount", value: money(charge.amountCents, charge.currency) },
];

const updateCard = (appUrl: string, renewal: MailedRenewal) => ({
  lead: "To keep access, update your card and pay now",
  label: "Update card and pay now",
  url: payLink(appUrl, renewal),
});

export const expired = (appUrl: string, { routeName, endDate }: MailedSubscription): Message => ({
  appUrl,
  subject: `Your subscription to ${routeName} has ended`,
  paragraphs: [
    `Your subscription to ${routeName} has ended. Your last day with access was ${lastDayInWords({ endDate })}. You keep the files that you downloaded, and we keep your usage records.`,
  ],
  facts: [
    { label: "Route", value: routeName },
    { label: "Last day", value: lastDayInWords({ endDate }) },
  ],
  action: {
    lead: "To get access again at once, renew it",
    label: "Renew subscription",
    url: `${appUrl}/subscriptions`,
  },
});

export const refunded = (
  appUrl: string,
  refund: { creditNote: string; amountCents: number; currency: string; orderId: number },
): Message => ({
  appUrl,
  subject: `Your refund: credit note ${refund.creditNote}`,
  paragraphs: [
    `We have refunded ${money(refund.amountCents, refund.currency)} of your payment for order ${refund.orderId}. It should reach your card within a few days.`,
  ],
  facts: [
    { label: "Credit note", value: refund.creditNote },
    { label: "Order", value: String(refund.orderId) },
    { label: "Amount", value: money(refund.amountCents, refund.currency) },
  ],
  action: { lead: "To see your credit notes, open", label: "View credit notes", url: `${appUrl}/billing` },
});

type ReturnedPayment = {
  orderId: number;
  kind: "purchase" | "renewal" | "term_change" | "plan";
  amountCents: number;
  currency: string;
  reason: "paid_too_late" | "account_suspended" | "plan_changed";
  /** When the price lock ended. */
  expiresAt: Date;
};

const notAccepted = {
  paid_too_late: (payment: string) =>
    `Your ${payment} came after the order's price had expired, so we could not accept it.`,
  account_suspended: (payment: string) => `Your account is suspended, so we could not accept your ${payment}.`,
  plan_changed: (payment: string) =>
    `Your plan has changed since you placed the order, so we could not accept your ${payment}.`,
} as const satisfies Record<ReturnedPayment["reason"], (payment: string) => string>;

const startAgain = {
  purchase: ["To buy at today's price, start again from your basket", "Open basket", "/basket"],
  renewal: ["To pay today's price, start again from your subscriptions", "Open subscriptions", "/subscriptions"],
  term_change: ["To pay today's price, start again from your subscriptions", "Open subscriptions", "/subscriptions"],
  plan: ["To see your plan and today's prices, open", "View plan", "/plan"],
} as const satisfies Record<ReturnedPayment["kind"], readonly [lead: string, label: string, path: string]>;

/** The payment was not used and is refunded in full. */
export const paymentReturned = (appUrl: string, payment: ReturnedPayment): Message => {
  const amount = money(payment.amountCents, payment.currency);
  const isLate = payment.reason === "paid_too_late";
  const [lead, label, path] =
    payment.reason === "account_suspended"
      ? ["If you have questions, contact support", "Contact support", "/support"]
      : startAgain[payment.kind];
  return {
    appUrl,
    subject: `We are refunding your payment of ${amount}`,
    paragraphs: [
      notAccepted[payment.reason](`payment of ${amount} for order ${payment.orderId}`),
      "We are refunding it in full. The money should reach your card within a few days, and we will e-mail you a credit note.",
    ],
    facts: [
      { label: "Order", value: String(payment.orderId) },
      { label: "Refund", value: amount },
      ...(isLate ? [{ label: "Price expired", value: instantInWords(payment.expiresAt) }] : []),
    ],
    action: { lead, label, url: `${appUrl}${path}` },
  };
};

type MailedPlan = { plan: Plan; endDate: Day };

const planName = (plan: Plan): string => `${capitalised(plan)} plan`;

export const planEnding = (appUrl: string, { plan, endDate }: MailedPlan): Message => ({
  appUrl,
  subject: `Your ${planName(plan)} ends after ${lastDayInWords({ endDate })}`,
  paragraphs: [
    `The last day of your ${planName(plan)} is ${lastDayInWords({ endDate })}. It does not renew automatically, and we charge nothing. If you pay for more months before then, they follow it.`,
    `After that day your account is on the Free plan. ${freePlanInWords}`,
  ],
  facts: [
    { label: "Plan", value: capitalised(plan) },
    { label: "Last day", value: lastDayInWords({ endDate }) },
  ],
  action: { lead: "To keep the plan, extend it", label: "Extend plan", url: `${appUrl}/plan/${plan}` },
});

export const planEnded = (appUrl: string, { plan, endDate }: MailedPlan): Message => ({
  appUrl,
  subject: `Your ${planName(plan)} has ended`,
  paragraphs: [
    `The last day of your ${planName(plan)} was ${lastDayInWords({ endDate })}. Your account is now on the Free plan. Your subscriptions do not change.`,
    freePlanInWords,
  ],
  facts: [
    { label: "Plan", value: "Free" },
    { label: "Requests", value: requestsInWords(planLimits.free) },
  ],
  action: { lead: "To see your plan and its limits, open", label: "View plan", url: `${appUrl}/plan` },
});

const freePlanInWords = `It allows ${grouped(planLimits.free.hourly)} requests an hour and keeps request logs ${storageInWords(planLimits.free.storageDays)}: we delete older ones. All your API keys keep working, but you can create another one only while you have fewer than ${planLimits.free.maxApiKeys}.`;

type PlanChange = {
  from: string;
  to: string;
  reason: string;
  limits: PlanLimits;
};

export const planChanged = (appUrl: string, { from, to, reason, limits }: PlanChange): Message => ({
  appUrl,
  subject: `Your plan is now ${to}`,
  paragraphs: [`We have moved your account from the ${from} plan to the ${to} plan. The new limits apply now.`, reason],
  facts: [
    { label: "Requests", value: requestsInWords(limits) },
    { label: "API keys", value: limits.maxApiKeys === null ? "unlimited" : `up to ${limits.maxApiKeys}` },
    { label: "Request log", value: `kept ${storageInWords(limits.storageDays)}` },
  ],
  action: { lead: "To see your plan and its limits, open", label: "View plan", url: `${appUrl}/account` },
});

const requestsInWords = ({ hourly, burst }: PlanLimits): string => `${grouped(hourly)} an hour, ${burst} a second`;

export const accountSuspended = (appUrl: string, { reason }: { reason: string }): Message => ({
  appUrl,
  subject: "Your account is suspended",
  paragraphs: [
    "We have suspended your account. While it is suspended, you cannot read route data in the portal or through the API, and we charge nothing.",
    reason,
  ],
  facts: [],
  action: { lead: "If you have questions, contact support", label: "Contact support", url: `${appUrl}/support` },
});

export const accountRestored = (appUrl: string, { reason }: { reason: string }): Message => ({
  appUrl,
  subject: "Your account is in good standing again",
  paragraphs: [
    "Your account is no longer suspended. You can read the data of your active subscriptions again.",
    reason,
  ],
  facts: [],
  action: { lead: "To see your subscriptions, open", label: "View subscriptions", url: `${appUrl}/subscriptions` },
});

export const keyCreated = (appUrl: string, key: { name: string; user: string; displayPrefix: string }): Message => ({
  appUrl,
  subject: "An API key was created",
  paragraphs: ["An API key was created in your account. It gives full access to your account's data."],
  facts: [
    { label: "Name", value: key.name },
    { label: "Key", value: `${key.displayPrefix}…` },
    { label: "User", value: key.user },
  ],
  action: {
    lead: "If this was not you, delete the key and change your password",
    label: "Review API keys",
    url: `${appUrl}/api-keys`,
  },
});

export const keyExpiring = (
  appUrl: string,
  key: { id: number; name: string; displayPrefix: string; expiresAt: Date },
): Message => ({
  appUrl,
  subject: `Your API key “${key.name}” expires soon`,
  paragraphs: ["After that, requests with it return 401. Rotate the key before then, or change its expiry."],
  facts: [
    { label: "Key", value: `${key.displayPrefix}…` },
    { label: "Expires", value: instantInWords(key.expiresAt) },
  ],
  action: { lead: "Rotate the key, or change its expiry", label: "Open the key", url: `${appUrl}/api-keys/${key.id}` },
});

/** @param key.foundAt as reported */
export const keyLeaked = (
  appUrl: string,
  key: { name: string; displayPrefix: string; foundAt: string | null },
): Message => ({
  appUrl,
  subject: `We revoked your API key “${key.name}”: somebody found it`,
  paragraphs: [
    "Somebody sent us this key. We revoked it at once: requests with it return 401, and it cannot be restored.",
    "Create a new key for your programs, and remove the old one from where it was found. Check the request log for requests that were not yours.",
  ],
  facts: [
    { label: "Key", value: `${key.displayPrefix}…` },
    ...(key.foundAt === null ? [] : [{ label: "Found at, as reported", value: key.foundAt }]),
  ],
  action: { lead: "Create a new key", label: "Open API keys", url: `${appUrl}/api-keys` },
});

/** @param quota.percent 80 or 100 */
export const quotaReached = (
  appUrl: string,
  quota: { percent: 80 | 100; limit: number; used: number; resetsAt: Date },
): Message => ({
  appUrl,
  subject:
    quota.percent === 100
      ? "You have used all API requests of this hour"
      : "You have used 80% of this hour's API requests",
  paragraphs: [
    quota.percent === 100
      ? `Further requests get a 429 until ${instantInWords(quota.resetsAt)}.`
      : `The count starts again at ${instantInWords(quota.resetsAt)}. Beyond the limit, requests get a 429.`,
  ],
  facts: [{ label: "Requests", value: `${grouped(quota.used)} of ${grouped(quota.limit)}` }],
  action: { lead: "See which keys and endpoints use them", label: "Open usage", url: `${appUrl}/usage?period=hours` },
});

/** @param endpoint.reason `gone`: it answered 410. `failing`: no attempt has succeeded for days. */
export const webhookDisabled = (
  appUrl: string,
  endpoint: { endpointId: number; url: string; reason: "gone" | "failing" },
): Message => ({
  appUrl,
  subject: "A webhook endpoint was disabled",
  paragraphs: [
    endpoint.reason === "gone"
      ? "Your endpoint returned 410 Gone, so we have stopped sending events to it."
      : "Every delivery to your endpoint has failed for three days, so we have stopped sending events to it.",
    "Once it works again, enable it and replay the failed deliveries.",
  ],
  facts: [{ label: "Endpoint", value: endpoint.url }],
  action: {
    lead: "To see every attempt in the delivery log, open",
    label: "View endpoint",
    url: `${appUrl}/account/webhooks/${endpoint.endpointId}`,
  },
});

/** @param address from which the last code came */
export const codesGuessed = (
  appUrl: string,
  { count, address }: { count: number; address: string | null },
): Message => ({
  appUrl,
  subject: "Wrong two-factor codes for your account",
  paragraphs: [
    `Somebody entered your password and then ${count} wrong two-factor codes, the last from ${address ?? "an unknown address"}. They are not signed in.`,
    "If this was not you, they know your password. A new password locks them out.",
  ],
  facts: [],
  action: {
    lead: "If this was not you, set a new password now",
    label: "Set a new password",
    url: `${appUrl}/forgot-password`,
  },
});

export type PasswordReplaced = {
  signedOut: "every session" | "every other session";
  revokedKeys: number;
  keptKeys: number;
  removedPasskeys: number;
  keptPasskeys: number;
  /** The new password was set by the first link that proved the address. */
  isFirstProof?: boolean;
};

export const passwordChanged = (
  appUrl: string,
  { signedOut, revokedKeys, keptKeys, removedPasskeys, keptPasskeys, isFirstProof = false }: PasswordReplaced,
): Message => ({
  appUrl,
  subject: "Your password was changed",
  paragraphs: [
    `The password of your account was changed, and ${signedOut} was signed out.${
      revokedKeys > 0
        ? ` ${counted(revokedKeys, "API key was", "API keys were")} revoked: requests with ${revokedKeys === 1 ? "it" : "them"} get a 401.`
        : keptKeys > 0
          ? ` ${counted(keptKeys, "API key still works", "API keys still work")}.`
          : ""
    }${
      removedPasskeys > 0
        ? ` ${counted(removedPasskeys, "passkey was", "passkeys were")} removed.`
        : keptPasskeys > 0
          ? ` ${counted(keptPasskeys, "passkey still signs", "passkeys still sign")} in.`
          : ""
    }`,
    ...(removedPasskeys > 0 && !isFirstProof
      ? [
          "Two-factor sign-in stays on. After your password, enter a code from your authenticator app or a recovery code. If you have neither, contact support.",
        ]
      : []),
    ...(isFirstProof
      ? [
          "This also confirmed your e-mail address. Nobody had confirmed it before, so we removed everything that could have given somebody else access: API keys, passkeys, two-factor sign-in, webhook endpoints and the calendar address.",
        ]
      : []),
  ],
  facts: [],
  action: {
    lead: "If this was not you, set a new password now",
    label: "Set a new password",
    url: `${appUrl}/forgot-password`,
  },
});

/** @param link lets its holder set a new password; valid once, for `minutes` */
export const passwordReset = (appUrl: string, { link, minutes }: { link: string; minutes: number }): Message => ({
  appUrl,
  subject: "Set a new password",
  paragraphs: [
    "Someone, probably you, asked to set a new password for your account.",
    `Use the link below. It works once and expires in ${minutes} minutes. If you did not ask for it, ignore this e-mail: your password has not changed.`,
  ],
  facts: [],
  action: { lead: "To set a new password, open", label: "Set a new password", url: link },
});

type Link = { link: string; hours: number };

/** @param link confirms the address; valid once */
export const confirmEmail = (appUrl: string, { link, hours }: Link): Message => ({
  appUrl,
  subject: "Confirm your e-mail address",
  paragraphs: [
    "An account was created with this e-mail address. Confirm that the address is yours, so that receipts, reminders and password links reach you.",
    `The link works once and expires in ${hours} hours. If you did not create an account, do not confirm: somebody else used your address. To take the account over and sign them out, set a new password at ${appUrl}/forgot-password.`,
  ],
  facts: [],
  action: { lead: "To confirm your address, open", label: "Confirm address", url: link },
});

/** To the new address. @param link confirms the change; valid once */
export const confirmNewEmail = (appUrl: string, { link, hours, username }: Link & { username: string }): Message => ({
  appUrl,
  subject: "Confirm your new e-mail address",
  paragraphs: [
    `You asked to use this e-mail address for the account ${username}. The account keeps its current address until you confirm this one.`,
    `The link works once and expires in ${hours} hours. If you did not ask for this, ignore this e-mail.`,
  ],
  facts: [],
  action: { lead: "To confirm your new address, open", label: "Confirm new address", url: link },
});

/** To the current address, while the change can still be cancelled. */
export const emailChangeRequested = (appUrl: string, { email }: { email: string }): Message => ({
  appUrl,
  subject: "A change of your e-mail address was requested",
  paragraphs: [
    "Someone entered your password and asked to change the e-mail address of your account. The address changes once the new one is confirmed.",
    "If this was you, open the link that we sent to the new address.",
  ],
  facts: [{ label: "New address", value: email }],
  action: {
    lead: "If this was not you, set a new password now. That cancels the change",
    label: "Set a new password",
    url: `${appUrl}/forgot-password`,
  },
});

/** To the previous address. */
export const emailChanged = (appUrl: string, { email }: { email: string }): Message => ({
  appUrl,
  subject: "Your e-mail address was changed",
  paragraphs: [
    "The e-mail address of your account was changed and the new address confirmed. We no longer send e-mail about this account to this address.",
  ],
  facts: [{ label: "New address", value: email }],
  action: {
    lead: "If this was not you, contact support now",
    label: "Contact support",
    url: `${appUrl}/support`,
  },
});

export const twoFactorTurned = (appUrl: string, turned: "on" | "off"): Message => ({
  appUrl,
  subject: `Two-factor sign-in was turned ${turned}`,
  paragraphs: [
    turned === "on"
      ? "To sign in, you now need your password and a code from your authenticator app. Keep your recovery codes in a place that you can reach without your phone. API keys still work."
      : "To sign in, you now need your password only. Your recovery codes no longer work.",
  ],
  facts: [],
  action: {
    lead: "If this was not you, set a new password now",
    label: "Set a new password",
    url: `${appUrl}/forgot-password`,
  },
});

/** While two-factor sign-in stays on, by passkeys. */
export const appChanged = (appUrl: string, what: "added" | "removed"): Message => ({
  appUrl,
  subject: `An authenticator app was ${what}`,
  paragraphs: [
    what === "added"
      ? "After your password, you can now also sign in with a code from your authenticator app. Your passkeys and recovery codes keep working."
      : "Codes of your authenticator app no longer sign in. Your passkeys and recovery codes keep working.",
  ],
  facts: [],
  action: unlessYou(appUrl),
});

/** @param turnedOn it is the account's first factor besides the password */
export const passkeyAdded = (appUrl: string, { name, turnedOn }: { name: string; turnedOn: boolean }): Message => ({
  appUrl,
  subject: "A passkey was added to your account",
  paragraphs: [
    "It signs in without your password.",
    ...(turnedOn
      ? [
          "Two-factor sign-in is now on: your password alone no longer signs in. Keep your recovery codes in a place that you can reach without your devices. API keys still work.",
        ]
      : []),
  ],
  facts: [{ label: "Passkey", value: name }],
  action: {
    lead: "If this was not you, set a new password and remove all passkeys now",
    label: "Set a new password",
    url: `${appUrl}/forgot-password`,
  },
});

/** @param isOff it was the last factor besides the password */
export const passkeyRemoved = (appUrl: string, { name, isOff }: { name: string; isOff: boolean }): Message => ({
  appUrl,
  subject: "A passkey was removed from your account",
  paragraphs: [
    "It no longer signs in. You can delete it on your device as well.",
    ...(isOff
      ? ["Two-factor sign-in is now off: your password alone signs in. Your recovery codes no longer work."]
      : []),
  ],
  facts: [{ label: "Passkey", value: name }],
  action: unlessYou(appUrl),
});

/** A security key counts its signatures, and a count did not rise. */
export const passkeyCopySuspected = (appUrl: string, { name }: { name: string }): Message => ({
  appUrl,
  subject: "One of your passkeys may have been copied",
  paragraphs: [
    "Somebody tried to sign in with a passkey of your account. We did not accept it: its counter of signatures did not rise, as it does with each use. A copy of the passkey may exist.",
    "Sign in another way, remove this passkey, and add a new one.",
  ],
  facts: [{ label: "Passkey", value: name }],
  action: { lead: "To remove the passkey, open", label: "Open security settings", url: `${appUrl}/account/security` },
});

const unlessYou = (appUrl: string): Message["action"] => ({
  lead: "If this was not you, set a new password now",
  label: "Set a new password",
  url: `${appUrl}/forgot-password`,
});

/** After an operator removed it for an account holder who lost both phone and recovery codes. */
export const twoFactorRemoved = (appUrl: string, { reason }: { reason: string }): Message => ({
  appUrl,
  subject: "We have turned off two-factor sign-in for you",
  paragraphs: [
    "We were asked to turn off two-factor sign-in for your account because your devices and the recovery codes were lost. To sign in, you now need your password only: your authenticator app and passkeys are removed. Every session was signed out. API keys still work.",
    reason,
    "If you asked for this, sign in and set it up again with your new device, under Account, Security.",
    "If you did not, someone else may know your password. Set a new one, then contact support.",
  ],
  facts: [],
  action: {
    lead: "If you did not ask for it, set a new password now",
    label: "Set a new password",
    url: `${appUrl}/forgot-password`,
  },
});

export const recoveryCodeUsed = (appUrl: string, { left }: { left: number }): Message => ({
  appUrl,
  subject: "A recovery code was used",
  paragraphs: [
    `One of your recovery codes was used instead of a code from your authenticator app. It no longer works. You have ${left === 0 ? "no recovery codes" : counted(left, "recovery code")} left.`,
  ],
  facts: [],
  action: {
    lead: "To create new codes, or if this was not you, open",
    label: "Open security settings",
    url: `${appUrl}/account/security`,
  },
});

/** The last message to the address of a closed account. */
export const accountClosed = (appUrl: string): Message => ({
  appUrl,
  subject: "Your account is closed",
  paragraphs: [
    "We have closed your account, as you asked. Its subscriptions have ended, and its API keys and saved cards are deleted. We keep its invoices, as the law requires.",
    "You can register again with this address and your username. This is our last e-mail about the account.",
  ],
  facts: [],
  action: { lead: "If this was not you, contact us through our site", label: "Open our site", url: appUrl },
});

type SignInPlace = { at: Date; address: string; program: string; by: "portal" | "bearer" };

/** A sign-in from an unknown address or program. */
export const newPlace = (appUrl: string, { at, address, program, by }: SignInPlace): Message => ({
  appUrl,
  subject: "New sign-in to your account",
  paragraphs: [
    "Someone signed in to your account from an address or a program that it has not been used with before. If this was you, you can ignore this e-mail.",
  ],
  facts: [
    { label: "When", value: instantInWords(at) },
    { label: "IP address", value: address },
    { label: "Program", value: program },
    { label: "Signed in to", value: by === "portal" ? "the portal" : "the API, with a bearer token" },
  ],
  action: {
    lead: "If this was not you, end the session and change your password",
    label: "Review sessions",
    url: `${appUrl}/account/security`,
  },
});

type MailedRequest = { id: number; subject: string; topic: string };

/** To operators: a new support request, or a new message in one. */
export const supportArrived = (
  appUrl: string,
  request: MailedRequest & { username: string; plan: string; body: string },
): Message => ({
  appUrl,
  subject: `Support request ${request.id}: ${request.subject}`,
  paragraphs: paragraphsOf(request.body),
  facts: [
    { label: "From", value: `${request.username} (${request.plan} plan)` },
    { label: "Topic", value: request.topic },
  ],
  action: { lead: "To reply, open", label: "Open request", url: `${appUrl}/operations/support/${request.id}` },
});

/** To the account holder: the answer. @param closed whether the request was closed with it */
export const supportAnswered = (
  appUrl: string,
  request: MailedRequest & { body: string; closed: boolean },
): Message => ({
  appUrl,
  subject: `Answer to your support request ${request.id}: ${request.subject}`,
  paragraphs: [
    ...paragraphsOf(request.body),
    ...(request.closed ? ["We have closed this request. Reply to reopen it."] : []),
  ],
  facts: [],
  action: { lead: "To reply, open", label: "Reply", url: `${appUrl}/support/${request.id}` },
});

export const supportClosed = (appUrl: string, request: MailedRequest): Message => ({
  appUrl,
  subject: `Your support request ${request.id} is closed: ${request.subject}`,
  paragraphs: ["We have closed your request. If you still need help, reply to reopen it."],
  facts: [],
  action: { lead: "To read it, open", label: "Open request", url: `${appUrl}/support/${request.id}` },
});

type LatePeriod = { routeName: string; routeCode: string; name: string; dataAsOf: Date | null };

const latePeriodsListed = 20;

/** To operators: periods whose next observation is overdue. */
export const dataLate = (appUrl: string, periods: readonly LatePeriod[]): Message => {
  const count = counted(periods.length, "period");
  const unlisted = periods.length - latePeriodsListed;
  return {
    appUrl,
    subject: `Late data in ${count}`,
    paragraphs: [
      `The data of ${count} is older than its update schedule allows. Subscribers see that it is late.`,
      ...(unlisted > 0
        ? [`These are the ${latePeriodsListed} that are most overdue; ${grouped(unlisted)} more are late.`]
        : []),
    ],
    facts: periods.slice(0, latePeriodsListed).map(({ routeName, routeCode, name, dataAsOf }) => ({
      label: `${routeName} (${routeCode}), ${name}`,
      value: dataAsOf === null ? "no data yet" : `data as of ${instantInWords(dataAsOf)}`,
    })),
    action: { lead: "To see all late data, open", label: "View late data", url: `${appUrl}/operations/periods` },
  };
};

type MailedDispute = { orderId: number; amountCents: number; currency: string; reason: string };

const disputeFacts = ({ orderId, amountCents, currency, reason }: MailedDispute): Fact[] => [
  { label: "Order", value: String(orderId) },
  { label: "Amount", value: money(amountCents, currency) },
  { label: "Reason given to the bank", value: reason.replaceAll("_", " ") },
];

/** To the account holder: the bank has opened a dispute. */
export const paymentDisputed = (appUrl: string, dispute: MailedDispute): Message => ({
  appUrl,
  subject: `A payment of ${money(dispute.amountCents, dispute.currency)} is disputed`,
  paragraphs: [
    `Your bank reports that the payment of ${money(dispute.amountCents, dispute.currency)} for order ${dispute.orderId} is disputed. Your account is suspended until we have reviewed it.`,
    "We do not charge the card of this payment again until you choose a card for renewals.",
  ],
  facts: disputeFacts(dispute),
  action: {
    lead: "If you did not mean to dispute it, tell your bank and contact support",
    label: "Contact support",
    url: `${appUrl}/support`,
  },
});

const disputeEndings = {
  won: "Your bank has decided that the payment is valid.",
  lost: "Your bank has returned the money to your card. The terms bought with this payment have ended; terms from other payments continue.",
  partly_lost: "Your bank has returned this part of the payment to your card. The terms bought with it continue.",
  closed: "Your bank has closed the dispute without a decision. The payment is valid.",
} as const;

export type DisputeOutcome = keyof typeof disputeEndings;

/** To the account holder: the dispute has ended. */
export const disputeEnded = (
  appUrl: string,
  { outcome, ...dispute }: MailedDispute & { outcome: DisputeOutcome },
): Message => ({
  appUrl,
  subject: `The dispute over ${money(dispute.amountCents, dispute.currency)} has ended`,
  paragraphs: [
    disputeEndings[outcome],
    "If your account is suspended, we will review it and e-mail you. We charge renewals to the card that you choose.",
    ...(outcome === "lost"
      ? ["To get access again, renew the subscription once your account is in good standing."]
      : []),
  ],
  facts: disputeFacts(dispute),
  action: { lead: "To choose a card for renewals, open", label: "Choose a card", url: `${appUrl}/billing/cards` },
});

/** To operators. */
export const disputeForOperators = (
  appUrl: string,
  {
    username,
    accountId,
    outcome,
    ...dispute
  }: MailedDispute & { username: string; accountId: number; outcome: DisputeOutcome | "open" },
): Message => ({
  appUrl,
  subject:
    outcome === "open"
      ? `${username} disputes a payment of ${money(dispute.amountCents, dispute.currency)}`
      : `Dispute by ${username}: ${outcome.replace("_", " ")}`,
  paragraphs: [
    outcome === "open"
      ? "The account is suspended. Respond to the dispute at the payment provider."
      : `${outcome === "lost" ? "The terms bought with the payment have ended. " : ""}Decide whether to reinstate the account. The disputed card is not charged until the account holder chooses it again.`,
  ],
  facts: disputeFacts(dispute),
  action: {
    lead: "To see the account, open",
    label: "Open account",
    url: `${appUrl}/operations/accounts/${accountId}`,
  },
});

type MailedQuote = {
  id: number;
  username: string;
  currency: string;
  routes: number;
  listCents: number;
  totalCents: number;
};

const quoteEvents = {
  requested: "requested a quote",
  accepted: "accepted the offer",
  declined: "declined the offer",
  withdrawn: "withdrew the request",
} as const;

/** To operators: a request for a quote, or the account holder's decision. @param quote.note what the account holder wrote */
export const quoteForOperators = (
  appUrl: string,
  quote: MailedQuote & { event: keyof typeof quoteEvents; note: string },
): Message => ({
  appUrl,
  subject: `Quote ${quote.id}: ${quote.username} ${quoteEvents[quote.event]}`,
  paragraphs: [
    `${quote.username} ${quoteEvents[quote.event]} for ${counted(quote.routes, "route")}.`,
    ...paragraphsOf(quote.note),
  ],
  facts: [
    { label: "List price", value: money(quote.listCents, quote.currency) },
    {
      label: quote.event === "requested" ? "After term discounts" : "Total",
      value: money(quote.totalCents, quote.currency),
    },
  ],
  action: { lead: "To reply, open", label: "Open quote", url: `${appUrl}/operations/quotes/${quote.id}` },
});

type MailedOffer = {
  discountPercent: number;
  validThrough: Day;
  keepsDiscount: boolean;
  discountThrough: Day | null;
  note: string;
};

/** To the account holder: the offer, or a new one that replaces it. */
export const quoteOffered = (
  appUrl: string,
  { id, offer, ...quote }: MailedQuote & { offerNumber: number; offer: MailedOffer },
): Message => ({
  appUrl,
  subject: `Your quote ${id}: ${money(quote.totalCents, quote.currency)} for ${counted(quote.routes, "route")}`,
  paragraphs: [
    quote.offerNumber > 1
      ? `Here is our new offer for quote ${id}. It replaces the earlier one.`
      : `Here is our offer for quote ${id}.`,
    ...paragraphsOf(offer.note),
    ...(offer.keepsDiscount
      ? [
          `Once you have paid, the discount of ${offer.discountPercent}% also applies to later purchases and renewals${offer.discountThrough ? `. Its last day is ${dayInWords(offer.discountThrough)}` : ""}.`,
        ]
      : []),
  ],
  facts: [
    { label: "List price", value: money(quote.listCents, quote.currency) },
    { label: "Volume discount", value: `${offer.discountPercent}%` },
    { label: "Total", value: money(quote.totalCents, quote.currency) },
    { label: "Last day of the offer", value: dayInWords(offer.validThrough) },
  ],
  action: { lead: "To accept and pay, open", label: "View offer", url: `${appUrl}/billing/quotes/${id}` },
});

/** To the account holder. @param quote.note the operator's reason */
export const quoteEnded = (
  appUrl: string,
  { id, as, note }: { id: number; as: "expired" | "withdrawn"; note: string },
): Message => ({
  appUrl,
  subject: as === "expired" ? `Your quote ${id} has expired` : `Your quote ${id} was withdrawn`,
  paragraphs: [
    as === "expired"
      ? `Our offer for quote ${id} has expired because it was not paid in time.`
      : `We have withdrawn quote ${id}.`,
    ...paragraphsOf(note),
  ],
  facts: [],
  action: {
    lead: "To see it or request another quote, open",
    label: "View quote",
    url: `${appUrl}/billing/quotes/${id}`,
  },
});

const paragraphsOf = (body: string): string[] => body.split(/\n+/).filter((line) => line.trim() !== "");

type MailedRoute = {
  id: number;
  code: string;
  name: string;
  alerts: Fact[];
  /** Those that raised the alerts and still exist. */
  watches: { name: string; stopUrl: string }[];
};

/** @param digest.count of the alerts, which may be more than are listed */
export const alertsRaised = (
  appUrl: string,
  { day, count, routes, stopAllUrl }: { day: Day; count: number; routes: MailedRoute[]; stopAllUrl: string },
): Message => {
  const [only] = routes.length === 1 ? routes : [];
  const unlisted = count - routes.reduce((sum, { alerts }) => sum + alerts.length, 0);
  const about = only?.name ?? counted(routes.length, "route");
  return {
    appUrl,
    subject: `${counted(count, "alert")} about ${about}, ${dayInWords(day)}`,
    paragraphs: [
      `There are new alerts on your watchlist.${unlisted > 0 ? ` This e-mail lists the first ones; your watchlist has ${grouped(unlisted)} more.` : ""}`,
    ],
    facts: [],
    groups: routes.map(({ id, code, name, alerts, watches }) => ({
      title: `${name} (${code})`,
      facts: alerts,
      links: [
        { label: "Open route", url: `${appUrl}/routes/${id}` },
        ...watches.map((watch) => ({ label: `Stop watching ${watch.name}`, url: watch.stopUrl })),
      ],
    })),
    action: {
      lead: "To see all alerts or change their settings, open",
      label: "Open watchlist",
      url: `${appUrl}/watchlist`,
    },
    unsubscribe: { label: "Stop all alert e-mails", url: stopAllUrl },
  };
};
