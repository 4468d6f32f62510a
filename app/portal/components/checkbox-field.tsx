import type { InputHTMLAttributes } from "react";
import { describedBy, ErrorText, type FieldProps, Hint } from "./field.tsx";

type Props = Omit<FieldProps, "optional"> &
  Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "id" | "type" | "className" | "style">;

export const CheckboxField = ({ name, label, hint, error, ...input }: Props) => (
  <div className="grid content-start gap-1">
    <label htmlFor={name} className="flex min-h-6 items-start gap-3 font-medium text-ink text-sm leading-6">
      <input
        {...input}
        type="checkbox"
        id={name}
        name={name}
        className="tick mt-0.75"
        {...describedBy({ name, hint, error })}
      />
      {label}
    </label>
    <div className="pl-7.5">
      <Hint name={name} hint={hint} />
      <ErrorText name={name} error={error} />
    </div>
  </div>
);
