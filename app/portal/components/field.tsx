import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

/** Props common to all fields. */
export type FieldProps = {
  /** Both name and id, so that the error summary can link to the field. */
  name: string;
  label: string;
  /** Shows the label to screen readers only, where its context is clear. */
  quietLabel?: boolean;
  /** What to know before filling it in. */
  hint?: ReactNode;
  /** What is wrong with the value, and how to fix it. */
  error?: string | undefined;
  /** Shows "(optional)" beside the label. */
  optional?: boolean;
};

/** ARIA attributes that link a control to its hint and its error. */
export const describedBy = ({ name, hint, error }: Pick<FieldProps, "name" | "hint" | "error">) => {
  const ids = [hint ? `${name}-hint` : null, error ? `${name}-error` : null].filter((id) => id !== null);
  return {
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
    "aria-invalid": error ? (true as const) : undefined,
  };
};

type Props = FieldProps & {
  /** At the end of the label row: "Forgot password?" */
  aside?: ReactNode;
  children: ReactNode;
};

/** Label, hint, control and error, in reading order. */
export const Field = ({ name, label, quietLabel, hint, error, optional = false, aside, children }: Props) => (
  <div className="grid content-start gap-1.5">
    <div className={quietLabel ? "sr-only" : "flex items-baseline justify-between gap-4"}>
      <label htmlFor={name} className="font-medium text-ink text-sm">
        {label}
        {optional ? <span className="font-normal text-faint"> (optional)</span> : null}
      </label>
      {aside ? <span className="text-sm">{aside}</span> : null}
    </div>
    <Hint name={name} hint={hint} />
    {children}
    <ErrorText name={name} error={error} />
  </div>
);

export const Hint = ({ name, hint }: Pick<FieldProps, "name" | "hint">) =>
  hint ? (
    <p id={`${name}-hint`} className="text-pretty text-[0.8125rem] text-muted leading-5">
      {hint}
    </p>
  ) : null;

export const ErrorText = ({ name, error }: Pick<FieldProps, "name" | "error">) =>
  error ? (
    <p id={`${name}-error`} className="flex items-start gap-1.5 font-medium text-[0.8125rem] text-danger leading-5">
      <Icon name="alert-triangle" className="mt-0.5 size-4" />
      {error}
    </p>
  ) : null;
