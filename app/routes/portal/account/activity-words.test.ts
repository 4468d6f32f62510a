import { expect, it } from "vitest";
import type { Action, AuditDetails } from "#app/domain/accounts/action.ts";
import { actorOf, describeAct } from "./activity-words.ts";

it.each<[Action, AuditDetails, string]>([
  ["account.registered", {}, "Opened the account"],
  ["account.suspended", { reason: "dispute" }, "Suspended the account: a payment was disputed"],
  ["api_key.created", { api_key_id: 3, name: "Rate sync" }, "Created the API key “Rate sync”"],
  ["api_key.deactivated", { api_key_id: 3 }, "Deactivated the API key number 3"],
  ["card.saved", { brand: "visa", last4: "4242" }, "Saved the card Visa •••• 4242"],
  ["password.changed", { ended_sessions: 0 }, "Changed the password"],
  ["password.changed", { ended_sessions: 2 }, "Changed the password; 2 sessions ended"],
  ["session.revoked", { kind: "bearer" }, "Revoked a bearer token"],
  [
    "subscription.auto_renew_set",
    { subscription_id: 8, auto_renew: false },
    "Turned auto-renewal of subscription 8 off",
  ],
  [
    "subscription.auto_renew_set",
    { subscription_id: 8, auto_renew: true, renewal_term: "3_months" },
    "Turned auto-renewal of subscription 8 on, for 3 months",
  ],
  [
    "session.opened",
    { kind: "portal", address: "192.0.2.1", program: "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Firefox/133.0" },
    "Signed in with Firefox on Linux from 192.0.2.1",
  ],
  ["session.opened", { kind: "bearer", address: null, program: null }, "Got a bearer token with an unknown program"],
  [
    "order.paid",
    { kind: "purchase", subscriptions: 2, subscription_id: null, amount_cents: 123400, currency: "USD", invoice: "7" },
    "Subscribed to 2 routes for $1,234.00, invoice 7",
  ],
  [
    "order.paid",
    { kind: "renewal", subscriptions: 1, subscription_id: 8, amount_cents: 100, currency: "USD", invoice: "7" },
    "Renewed subscription 8 for $1.00, invoice 7",
  ],
  [
    "order.paid",
    { kind: "plan", plan: "professional", amount_cents: 4900, currency: "USD", invoice: "7" },
    "Bought the professional plan for $49.00, invoice 7",
  ],
])("describes %s %o as %s", (action, details, words) => {
  expect(describeAct({ action, details })).toBe(words);
});

it("describes an unknown action by its name", () => {
  expect(describeAct({ action: "invoice.sent_again" as Action, details: {} })).toBe("Invoice sent again");
});

it("does not name the account holder as the actor of a failed second factor", () => {
  expect(actorOf({ action: "second_factor.refused", actor: "holder" })).toBe("someone");
  expect(actorOf({ action: "session.opened", actor: "holder" })).toBe("you");
});
