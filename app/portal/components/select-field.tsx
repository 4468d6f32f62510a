import type { SelectHTMLAttributes } from "react";
import { describedBy, Field, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";

type Option = { value: string; label: string; disabled?: boolean };

type Props = FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, "name" | "id" | "className" | "style" | "children"> & {
    options: readonly Option[];
  };

export const SelectField = ({ name, label, quietLabel, hint, error, optional, options, ...select }: Props) => (
  <Field
    name={name}
    label={label}
    quietLabel={quietLabel ?? false}
    hint={hint}
    error={error}
    optional={optional ?? false}
  >
    <div className="relative">
      <select {...select} id={name} name={name} className="control" {...describedBy({ name, hint, error })}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled ?? false}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon
        name="chevron-down"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </div>
  </Field>
);
