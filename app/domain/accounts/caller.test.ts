import { expect, it } from "vitest";
import { type Account, asOperator, requireGoodStanding } from "./caller.ts";

const account: Account = {
  id: 1,
  email: "someone@example.com",
  username: "someone",
  plan: "free",
  standing: "good",
  role: "holder",
  emailVerifiedAt: null,
  customHourlyLimit: null,
  customDiscountPercent: null,
  customDiscountThrough: null,
};
const callerWith = (changes: Partial<Account>) => ({
  account: { ...account, ...changes },
  proof: { scheme: "portal", sessionId: "one" } as const,
});

it("lets an account in good standing act, and rejects a suspended one", () => {
  expect(() => requireGoodStanding({ standing: "good" })).not.toThrow();
  expect(() => requireGoodStanding({ standing: "suspended" })).toThrow(expect.objectContaining({ code: "forbidden" }));
});

it("takes an operator in good standing for one", () => {
  const caller = callerWith({ role: "operator" });
  expect(asOperator(caller)).toBe(caller);
});

it.each([
  ["a holder", callerWith({})],
  ["a suspended operator", callerWith({ role: "operator", standing: "suspended" })],
  ["a suspended holder", callerWith({ standing: "suspended" })],
])("tells %s that the console does not exist", (_, caller) => {
  expect(() => asOperator(caller)).toThrow(expect.objectContaining({ code: "not_found", message: "Page not found" }));
});
