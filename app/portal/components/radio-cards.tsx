import type { ReactNode } from "react";
import { describedBy, ErrorText, type FieldProps, Hint } from "./field.tsx";

export type RadioCard = {
  value: string;
  title: ReactNode;
  /** A line under the title: "$340.00 per month". */
  detail?: ReactNode;
  /** At the end of the card: the total. */
  aside?: ReactNode;
  /** Beside the title: "Save 25%". */
  badge?: ReactNode;
};

type Props = Omit<FieldProps, "optional"> & {
  options: readonly RadioCard[];
  defaultValue?: string | undefined;
  /** The id of the first card. Needed if two forms on a page use the same name; defaults to the name. */
  id?: string;
};

/** Radio buttons with room for details, such as the choice of a term. */
export const RadioCards = ({ name, label, hint, error, options, defaultValue, id = name }: Props) => (
  <fieldset className="grid gap-2" aria-describedby={describedBy({ name, hint, error })["aria-describedby"]}>
    <legend className="mb-1.5 font-medium text-ink text-sm">{label}</legend>
    <Hint name={name} hint={hint} />
    {options.map((option, i) => (
      <label
        key={option.value}
        className="flex items-start gap-3 rounded-xl border border-line-strong bg-surface px-4 py-3 transition-colors hover:bg-sunken has-checked:border-accent-fill has-checked:bg-accent-soft has-checked:outline-1 has-checked:outline-accent-fill has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
      >
        <input
          type="radio"
          id={i === 0 ? id : `${id}-${option.value}`}
          name={name}
          value={option.value}
          defaultChecked={option.value === defaultValue}
          className="tick mt-0.75 focus-visible:outline-none"
        />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold text-ink leading-6">
            {option.title}
            {option.badge}
          </span>
          {option.detail ? <span className="block text-[0.8125rem] text-muted leading-5">{option.detail}</span> : null}
        </span>
        {option.aside ? (
          <span className="shrink-0 text-right font-semibold text-ink tabular-nums">{option.aside}</span>
        ) : null}
      </label>
    ))}
    <ErrorText name={name} error={error} />
  </fieldset>
);
