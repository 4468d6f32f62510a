/** The API key record as its owner sees it. @spec API key */
import { z } from "zod";
import { normalNetwork } from "../../platform/ip-network.ts";
import { invalid } from "../errors.ts";
import { singleLine } from "../input.ts";
import { cursorId, cursorOf } from "../page.ts";
import type { Plan } from "../plans/plans.ts";
import { keyStatuses } from "./enums.ts";
import { largestHourlyLimit, maxAllowedAddresses } from "./policy.ts";

export type ApiKey = {
  id: number;
  name: string;
  /** Must equal `X-Username` exactly. */
  user: string;
  displayPrefix: string;
  /** An expired key is inactive. */
  status: (typeof keyStatuses)[number];
  createdAt: Date;
  /** When the key stops working. Null: it does not expire. */
  expiresAt: Date | null;
  /** When the key was rotated. It works until `expiresAt` and is then deleted. */
  replacedAt: Date | null;
  /** Requests in an hour with this key, within the account's limit. Null: only the account's limit applies. */
  hourlyLimit: number | null;
  /** Addresses and networks that requests are accepted from. Null: from everywhere. */
  allowedAddresses: string[] | null;
  lastUsedAt: Date | null;
  requests: number;
};

const printable = (what: string, max: number) =>
  z
    .string()
    .trim()
    .min(1, `Enter ${what}`)
    .max(max)
    .regex(...singleLine);

export const keyName = printable("a name that says where the key is used", 100).meta({
  description: "A descriptive name, for example the application that uses the key.",
  example: "Rate sync, production",
});

export const keyHourlyLimit = z
  .int("Must be a whole number")
  .min(1, "Must be at least 1")
  .max(largestHourlyLimit, `Must be at most ${largestHourlyLimit}`)
  .nullable();

const anAddress = "Must be an IP address, or a network like 203.0.113.0/24 or 2001:db8::/48";

export const keyAllowedAddresses = z
  .array(z.string().refine((text) => normalNetwork(text) !== null, anAddress))
  .min(1, "Enter at least one address")
  .max(maxAllowedAddresses, `Enter at most ${maxAllowedAddresses} addresses`)
  .nullable();

/** As they are stored: in their shortest form, each once. */
export const storedAddresses = (addresses: readonly string[] | null): string[] | null =>
  addresses && [...new Set(addresses.flatMap((text) => normalNetwork(text) ?? []))];

/** Printable ASCII, because it is sent in a header. */
export const keyUser = z
  .string()
  .regex(
    /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/,
    "1 to 100 printable ASCII characters, no space at either end",
  )
  .meta({ description: "The username to send in X-Username, including case.", example: "forwarder-ops" });

export const keyStatus = z.enum(keyStatuses, { error: "Must be active or inactive" });

/** Why another key is refused. */
export const tooManyKeys = (plan: Plan, maxApiKeys: number): string =>
  `The ${plan} plan allows ${maxApiKeys} API keys, inactive ones included. Delete one or upgrade`;

export const newKey = z.strictObject({ api_key_name: keyName, user: keyUser });
export type NewKey = z.infer<typeof newKey> & {
  /** When the key stops working. Without it the key does not expire. */
  expiresAt?: Date | null;
  /** Without it only the account's limit applies. */
  hourlyLimit?: number | null;
  /** Without them the key works from everywhere. */
  allowedAddresses?: readonly string[] | null;
};

/** Why a key cannot be rotated, or be given another expiry or limit. */
export const alreadyRotated = "This key was already rotated. Change the new key instead";

/** @throws invalid for a time that is not in the future */
export const refusePastExpiry = (expiresAt: Date | null, now: Date): void => {
  if (expiresAt && expiresAt <= now) throw invalid("expires_at", "Must be in the future");
};

/** The cursor of the key list, which is sorted by id, newest first. */
export const keyCursor = cursorOf(z.tuple([cursorId]));
