import type { FieldError } from "../../domain/errors.ts";

/** The first error of a field: `error={errorOf(actionData?.errors, "email")}`. */
export const errorOf = (errors: readonly FieldError[] | undefined, path: string): string | undefined =>
  errors?.find((error) => error.path === path)?.message;
