import type { Behaviour } from "../stage/stripe.ts";
import type { Scenario } from "./scenario.ts";

const notBuying: Scenario["during"] = { read: "served", order: "unavailable", confirm: "either", health: "served" };
const served: Scenario["during"] = { read: "served", order: "served", confirm: "served", health: "served" };

const stripe = (
  name: string,
  behaviour: Behaviour,
  during: Scenario["during"],
  lasts: Scenario["lasts"] = { short: 1_000, long: 25_000 },
): Scenario => ({
  name,
  // Both take half a minute of time-outs: in the short form `late` stands for both.
  isShort: behaviour !== "mute",
  lasts,
  during,
  begin: (stage) => stage.stripe.behave(behaviour),
  end: (stage) => stage.stripe.behave("well"),
});

export const paymentScenarios: Scenario[] = [
  stripe("Stripe is slow", "slow", served, { short: 2_000, long: 25_000 }),
  stripe("Stripe is mute: it accepts and answers nothing", "mute", notBuying),
  stripe("Stripe answers with errors, every other time after doing what was asked", "erring", notBuying),
  stripe("Stripe does what was asked, and answers after the time-out", "late", notBuying),
  stripe("Stripe cannot be reached", "gone", notBuying),
];
