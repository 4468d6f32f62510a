/** The API key record as its owner sees it. @spec API key */
import { z } from "zod";
import { cursorId, cursorOf } from "../page.ts";
import type { Plan } from "../plans/plans.ts";
import { keyStatuses } from "./enums.ts";

export type ApiKey = {
  id: number;
  name: string;
  /** Must equal `X-Username` exactly. */
  user: string;
  displayPrefix: string;
  status: (typeof keyStatuses)[number];
  createdAt: Date;
  lastUsedAt: Date | null;
  requests: number;
};

const printable = (what: string, max: number) =>
  z
    .string()
    .trim()
    .min(1, `Enter ${what}`)
    .max(max, `At most ${max} characters`)
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, "Must not contain control characters");

export const keyName = printable("a name that says where the key is used", 100).meta({
  description: "A name that says where the key is used.",
  example: "Rate sync, production",
});

/** Printable ASCII, because it is sent in a header. */
export const keyUser = z
  .string()
  .regex(
    /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/,
    "1 to 100 printable ASCII characters, no space at either end",
  )
  .meta({ description: "The username that X-Username must equal, exactly.", example: "forwarder-ops" });

export const keyStatus = z.enum(keyStatuses, { error: "Must be active or inactive" });

/** Why another key is refused. */
export const tooManyKeys = (plan: Plan, maxApiKeys: number): string =>
  `The ${plan} plan allows ${maxApiKeys} API keys, inactive ones included; delete one or upgrade`;

export const newKey = z.strictObject({ api_key_name: keyName, user: keyUser });
export type NewKey = z.infer<typeof newKey>;

/** The cursor of the key list, which is sorted by id, newest first. */
export const keyCursor = cursorOf(z.tuple([cursorId]));
