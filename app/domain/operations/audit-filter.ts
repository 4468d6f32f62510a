/** Filters for the audit log. */
import { z } from "zod";

const number = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "An account's number")
  .transform(Number);

export const auditFilter = z.object({
  /** The account that was acted on. */
  account: number.optional(),
  /** Who acted. */
  actor: number.optional(),
  action: z.string().max(60).optional(),
});

export type AuditFilter = z.output<typeof auditFilter>;
