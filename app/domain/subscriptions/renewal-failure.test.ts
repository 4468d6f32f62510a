import { expect, it } from "vitest";
import { lacksCard, needsAuthentication, renewalFailure } from "./renewal-failure.ts";

it.each([
  ["authentication_required", true, false],
  ["requires_action", true, false],
  ["no_card", false, true],
  ["card_gone", false, true],
  ["card_declined", false, false],
  [null, false, false],
])("The code %s needs authentication: %s, lacks a card: %s", (code, authentication, card) => {
  expect(needsAuthentication(code)).toBe(authentication);
  expect(lacksCard(code)).toBe(card);
});

it("A failure says what happened and when, and hides that a card was reported stolen", () => {
  const at = new Date("2026-12-17T03:00:00Z");
  expect(renewalFailure("expired_card", at)).toEqual({
    code: "expired_card",
    message: "Your card has expired. Pay with another card.",
    at,
  });
  expect(renewalFailure("stolen_card", at)).toEqual(renewalFailure("card_declined", at));
});
