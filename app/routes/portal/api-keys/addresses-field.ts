/** Beside key-view.ts, so that the pages do not carry Zod to the browser. */
import { z } from "zod";
import { keyAllowedAddresses } from "#app/domain/api-keys/api-key.ts";

/** The allowed addresses of a key, from a form: one in each line, or separated by commas. Empty: from everywhere. */
export const addressesField = z
  .string()
  .default("")
  .transform((text) => text.split(/[\s,;]+/).filter((entry) => entry !== ""))
  .superRefine((entries, context) => {
    const issue = entries.length === 0 ? undefined : keyAllowedAddresses.safeParse(entries).error?.issues[0];
    if (!issue) return;
    const entry = typeof issue.path[0] === "number" ? entries[issue.path[0]] : undefined;
    context.addIssue({ code: "custom", message: entry === undefined ? issue.message : `“${entry}”: ${issue.message}` });
  })
  .transform((entries) => (entries.length === 0 ? null : entries));
