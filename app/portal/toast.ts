/** A message about a completed action, shown once on the next page. */
import { z } from "zod";

export const toast = z.object({
  message: z.string().min(1).max(200),
  /** A link to a page of this site. */
  link: z
    .object({
      label: z.string().min(1).max(60),
      to: z
        .string()
        .max(200)
        .regex(/^\/(?![/\\])/),
    })
    .optional(),
});
export type Toast = z.infer<typeof toast>;
