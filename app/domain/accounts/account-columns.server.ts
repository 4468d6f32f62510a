import { accounts } from "#drizzle/schema/index.ts";

/** The columns of an `Account`, for every query that has to say who someone is. */
export const accountColumns = {
  id: accounts.id,
  email: accounts.email,
  username: accounts.username,
  plan: accounts.plan,
  standing: accounts.standing,
  role: accounts.role,
  emailVerifiedAt: accounts.emailVerifiedAt,
  customHourlyLimit: accounts.customHourlyLimit,
  customDiscountPercent: accounts.customDiscountPercent,
};
