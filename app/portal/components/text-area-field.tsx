import type { TextareaHTMLAttributes } from "react";
import { describedBy, Field, type FieldProps } from "./field.tsx";

type Props = FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "name" | "id" | "className" | "style">;

/** For longer text. The user can resize it. */
export const TextAreaField = ({ name, label, hint, error, optional, rows = 6, ...area }: Props) => (
  <Field name={name} label={label} hint={hint} error={error} optional={optional ?? false}>
    <textarea
      {...area}
      rows={rows}
      id={name}
      name={name}
      className="control resize-y py-2.5 leading-6"
      {...describedBy({ name, hint, error })}
    />
  </Field>
);
