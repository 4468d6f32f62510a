import { expect, it } from "vitest";
import { describeAct } from "./activity-words.ts";

it.each([
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
  ["invoice.sent_again", {}, "Invoice sent again"],
])("%s %o is told as %s", (action, details, words) => {
  expect(describeAct({ action, details })).toBe(words);
});
