import { describe, expect, it } from "vitest";
import { declineInWords, disclosedCode } from "./declines.ts";
import { declines } from "./simulator/cards.ts";

const generic = "Your card was declined. Ask your bank why, or pay with another card.";

describe("A decline", () => {
  it.each([
    ["insufficient_funds", "Your card has insufficient funds. Add funds and try again, or pay with another card."],
    ["expired_card", "Your card has expired. Pay with another card."],
    [
      "incorrect_cvc",
      "The card's security code is incorrect. Check it and enter the card again, or pay with another card.",
    ],
    [
      "processing_error",
      "An error occurred while your card was being charged. Try again in a few minutes, or pay with another card.",
    ],
    ["authentication_required", "Your bank asks you to approve the payment. Approve it to pay."],
    [
      "payment_intent_authentication_failure",
      "Your bank did not approve the payment. Try again and approve it, or pay with another card.",
    ],
    ["card_declined", generic],
  ])("%s says what happened and what to do next", (code, words) => {
    expect(declineInWords(code)).toBe(words);
  });

  it.each([null, "lost_card", "stolen_card", "pickup_card", "fraudulent"])("%s is shown as a plain decline", (code) => {
    expect(declineInWords(code)).toBe(generic);
    expect(disclosedCode(code)).toBe("card_declined");
  });

  it("with a code that we do not know is a plain decline that keeps its code", () => {
    for (const code of ["do_not_honor", "a_code_of_tomorrow", "constructor"]) {
      expect(declineInWords(code)).toBe(generic);
      expect(disclosedCode(code)).toBe(code);
    }
  });

  it("of each test card ends with what to do next", () => {
    for (const why of Object.keys(declines)) expect(declineInWords(why)).toMatch(/^[A-Z].+\. [A-Z].+\.$/);
  });
});
