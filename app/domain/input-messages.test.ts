import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Refusal } from "./errors.ts";
import { validate } from "./input.ts";

const messageOf = (schema: z.ZodType, value: unknown): string | undefined => {
  try {
    validate(z.object({ field: schema }), { field: value });
  } catch (error) {
    if (error instanceof Refusal) return error.fields[0]?.message;
    throw error;
  }
  return undefined;
};

describe("A value that breaks a rule", () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, "Is required"],
    [z.enum(["a", "b"]), undefined, "Is required"],
    [z.union([z.string(), z.number()]), undefined, "Is required"],
    [z.string(), 1, "Must be text"],
    [z.int(), "1", "Must be a number"],
    [z.int(), 1.5, "Must be a whole number"],
    [z.int(), null, "Must be a number"],
    [z.boolean(), "true", "Must be true or false"],
    [z.array(z.int()), {}, "Must be a list"],
    [z.strictObject({}), "{}", "Must be an object"],
    [z.string(), ["a", "b"], "Must be one value, not a list"],
    [z.enum(["active", "inactive"]), "gone", "Must be one of active, inactive"],
    [z.literal("usd"), "eur", "Must be usd"],
    [z.int().min(1), 0, "Must be at least 1"],
    [z.int().max(9), 10, "Must be at most 9"],
    [z.number().gt(0), 0, "Must be more than 0"],
    [z.number().lt(1), 1, "Must be less than 1"],
    [z.string().min(1), "", "Must not be empty"],
    [z.string().min(12), "short", "At least 12 characters"],
    [z.string().max(1), "long", "At most 1 character"],
    [z.array(z.int()).max(2), [1, 2, 3], "At most 2 items"],
    [z.number().multipleOf(5), 7, "Must be a multiple of 5"],
    [z.email(), "nobody", "Must be an e-mail address"],
    [z.iso.date(), "20.11.2026", "Must be a date, like 2026-11-20"],
    [z.string().regex(/^x/), "y", "Has the wrong format"],
    [z.union([z.string(), z.number()]), true, "Is not valid"],
  ])("is told what it must be (%#)", (schema, value, message) => {
    expect(messageOf(schema, value)).toBe(message);
  });

  it("gets the schema's own message if there is one", () => {
    expect(messageOf(z.string().min(1, "Enter your password"), "")).toBe("Enter your password");
  });
});
