import type { InputHTMLAttributes } from "react";
import { describedBy, Field, type FieldProps } from "./field.tsx";

type Props = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "id" | "type" | "className" | "style">;

/** Takes one file. Its form needs `encType="multipart/form-data"`. */
export const FileField = ({ name, label, hint, error, optional, ...input }: Props) => (
  <Field name={name} label={label} hint={hint} error={error} optional={optional ?? false}>
    <input
      {...input}
      type="file"
      id={name}
      name={name}
      className="control py-2 file:mr-3 file:min-h-6 file:cursor-pointer file:rounded-md file:border-0 file:bg-sunken file:px-3 file:font-semibold file:text-ink file:text-sm"
      {...describedBy({ name, hint, error })}
    />
  </Field>
);
