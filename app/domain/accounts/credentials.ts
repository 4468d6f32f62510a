/** Schemas of registration, sign-in and the forms that ask for credentials. */
import { z } from "zod";
import { passwordLength } from "./policy.ts";

export const email = z
  .email("Enter an e-mail address, like name@company.com")
  .max(254)
  .meta({ description: "Not case-sensitive.", example: "ops@forwarder.example" });

export const newPassword = z
  .string()
  .min(passwordLength.min)
  .max(passwordLength.max)
  .meta({
    description: `${passwordLength.min} to ${passwordLength.max} characters. Common passwords, and those made of your name or address, are a 422.`,
    example: "a-long-pass-phrase",
  });

export const username = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{2,39}$/,
    "3 to 40 letters, digits, dots, dashes or underscores, a letter or digit first",
  )
  .meta({ description: "Unique among all accounts. Not case-sensitive.", example: "forwarder-ops" });

export const registration = z.strictObject({ email, username, password: newPassword });
export type Registration = z.infer<typeof registration>;

/** Any string: stricter rules would reveal which passwords cannot be correct. */
export const credentials = z.strictObject({
  email: z.string().min(1, "Enter your e-mail address").max(254).meta({ example: "demo@example.com" }),
  password: z.string().min(1, "Enter your password").max(1024).meta({ example: "demo-harbour-2026" }),
});
export type Credentials = z.infer<typeof credentials>;

/** From an authenticator app, or a recovery code. Any string, as for passwords. */
export const secondFactorCode = z.string().min(1, "Enter the code").max(64, "The code is too long");

export const credentialsWithCode = credentials.extend({
  one_time_code: secondFactorCode.optional().meta({
    description:
      "For accounts with two-factor sign-in: the present code of the authenticator app, or a recovery code. Each works once. A passkey cannot be sent here.",
    example: "492039",
  }),
});
export type CredentialsWithCode = z.infer<typeof credentialsWithCode>;

const currentPassword = z.string().min(1, "Enter your current password").max(1024, "This is not your current password");

export const passwordAgain = z.strictObject({ current_password: currentPassword });
export type PasswordAgain = z.infer<typeof passwordAgain>;

/** Optional here: the verb knows whether the account has a second factor. */
const codeIfAsked = z.string().max(64, "The code is too long").optional();

export const passwordAndCode = z.strictObject({ current_password: currentPassword, code: codeIfAsked });
export type PasswordAndCode = z.infer<typeof passwordAndCode>;

/** A checkbox: whether the API keys, too, may be in the wrong hands. */
const revokeKeys = z.literal("on").optional();

/** A checkbox: whether somebody else may have added a passkey. */
const removePasskeys = z.literal("on").optional();

export const passwordChange = z.strictObject({
  current_password: currentPassword,
  new_password: newPassword,
  code: codeIfAsked,
  revoke_keys: revokeKeys,
  remove_passkeys: removePasskeys,
});
export type PasswordChange = z.infer<typeof passwordChange>;

export const emailChange = z.strictObject({ email, current_password: currentPassword, code: codeIfAsked });
export type EmailChange = z.infer<typeof emailChange>;

export const accountClosure = z.strictObject({
  username: z.string().min(1, "Enter your username").max(100, "This is not your username"),
  current_password: currentPassword,
  code: codeIfAsked,
});
export type AccountClosure = z.infer<typeof accountClosure>;

export const forgottenPassword = z.strictObject({ email });
export type ForgottenPassword = z.infer<typeof forgottenPassword>;

export const passwordReset = z.strictObject({
  token: z.string().max(200),
  new_password: newPassword,
  revoke_keys: revokeKeys,
  remove_passkeys: removePasskeys,
});
export type PasswordReset = z.infer<typeof passwordReset>;
