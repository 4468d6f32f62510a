/** Filters for catalogue records. */
import { z } from "zod";

export const recordFilter = z.object({
  q: z.string().max(100).optional(),
  state: z.enum(["offered", "retired"], "Choose a state").optional(),
});

export type RecordFilter = z.output<typeof recordFilter>;
