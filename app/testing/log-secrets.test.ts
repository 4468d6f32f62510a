import { describe, expect, it } from "vitest";
import { secretsIn } from "./log-secrets.ts";

describe("The search for secrets in a log", () => {
  it.each(["4242424242424242", "4242 4242 4242 4242", "4242-4242-4242-4242"])("finds the card number %s", (number) => {
    expect(secretsIn(`{"message":"Paid with ${number}"}`)).toEqual(["a card number"]);
  });

  it("does not take a UUID for a card number", () => {
    expect(secretsIn('{"request_id":"33454990-5358-4282-b62d-cea678f27547"}')).toEqual([]);
  });
});
