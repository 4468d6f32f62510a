/** The report of a key that somebody has found. */
import { z } from "zod";
import { singleLine } from "../input.ts";

export const leakedKey = z.strictObject({
  api_key: z.string().max(200),
  url: z
    .url({ protocol: /^https?$/, error: "Must be an http or https URL" })
    .max(500)
    .regex(...singleLine)
    .optional(),
});

export type LeakedKey = z.infer<typeof leakedKey>;
