import { accounts } from "#drizzle/schema/index.ts";

/** The columns of an `Account`. */
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
  customDiscountThrough: accounts.customDiscountThrough,
};
