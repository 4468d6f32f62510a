import type { InputHTMLAttributes } from "react";
import { describedBy, Field, type FieldProps } from "./field.tsx";

type Props = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "id" | "className" | "style"> & {
    /** Needed if the page has several fields of the same name. */
    id?: string;
  };

export const TextField = ({ name, id = name, label, hint, error, optional, ...input }: Props) => (
  <Field name={id} label={label} hint={hint} error={error} optional={optional ?? false}>
    <input type="text" {...input} id={id} name={name} className="control" {...describedBy({ name: id, hint, error })} />
  </Field>
);
