import { type PlanLimits, storageInWords } from "#app/domain/plans/plans.ts";
import { formatCount, formatNumber } from "#app/portal/format.ts";

/** What a plan allows, as a list. @param agreed whether the hourly limit is the account's own */
export const featuresOf = (limits: PlanLimits, agreed = false): string[] => [
  `${formatNumber(limits.hourly)} requests an hour${agreed ? ", as agreed" : limits.allowsCustomHourly ? ", or as agreed" : ""}`,
  `${formatNumber(limits.burst)} requests in one second`,
  limits.maxApiKeys === null ? "API keys without limit" : formatCount(limits.maxApiKeys, "API key"),
  `Request log kept ${storageInWords(limits.storageDays)}`,
];
