import type { InputHTMLAttributes } from "react";
import { describedBy, Field, type FieldProps } from "./field.tsx";

type Props = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "id" | "className" | "style">;

export const TextField = ({ name, label, hint, error, optional, ...input }: Props) => (
  <Field name={name} label={label} hint={hint} error={error} optional={optional ?? false}>
    <input type="text" {...input} id={name} name={name} className="control" {...describedBy({ name, hint, error })} />
  </Field>
);
