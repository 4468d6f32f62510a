/**
 * Everything that is written into an account's log, as `noun.past_tense`. A new one gets its words in
 * app/routes/portal/account/activity-words.ts; the compiler asks for them.
 */
export type Action =
  | "account.discount_agreed"
  | "account.hourly_limit_set"
  | "account.plan_changed"
  | "account.registered"
  | "account.suspended"
  | "account.restored"
  | "api_key.created"
  | "api_key.activated"
  | "api_key.deactivated"
  | "api_key.deleted"
  | "card.saved"
  | "card.made_default"
  | "card.removed"
  | "job.run_requested"
  | "mail.given_up"
  | "mail.retried"
  | "email.verified"
  | "email.change_requested"
  | "email.changed"
  | "operator.granted"
  | "operator.revoked"
  | "order.paid"
  | "order.refunded"
  | "password.changed"
  | "password.reset"
  | "refund.ordered"
  | "session.opened"
  | "session.revoked"
  | "session.others_revoked"
  | "session.all_revoked"
  | "subscription.auto_renew_set"
  | "subscription.cancelled"
  | "subscription.renewal_declined"
  | "subscription.resumed"
  | "support_request.answered"
  | "support_request.closed"
  | "support_request.opened"
  | "support_request.reopened"
  | "support_request.replied";

/** What more there is to know of an act: numbers, names, nothing secret. */
export type ActDetails = Record<string, string | number | boolean | null>;
