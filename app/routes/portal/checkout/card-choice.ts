import { z } from "zod";

/** Whether the card becomes the one for renewals, as the forms of checkout send it. */
export const cardChoice = z
  .object({ for_renewals: z.literal("on").optional() })
  .transform(({ for_renewals }) => ({ makesDefault: for_renewals === "on" }));
