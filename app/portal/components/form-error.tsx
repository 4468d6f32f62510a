import { useEffect, useRef } from "react";
import type { FieldError } from "../../domain/errors.ts";
import { Icon } from "./icon.tsx";

type Props = {
  /** What went wrong as a whole. */
  message: string;
  /** Each links to the field whose `name` is its path. */
  fields?: readonly FieldError[];
};

/** Stands at the top of a form that came back, and takes the focus there. */
export const FormError = ({ message, fields = [] }: Props) => {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another refusal takes the focus again
  useEffect(() => box.current?.focus(), [message, fields]);
  const [first] = fields;
  const only = fields.length === 1 && first?.message === message ? first : null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="flex gap-3 rounded-xl border border-danger-line bg-danger-soft px-4 py-3 text-danger text-sm focus-visible:rounded-xl"
    >
      <Icon name="x-circle" className="mt-0.5 size-5" />
      <div className="min-w-0">
        <p className="font-semibold leading-6">
          {only ? (
            <a href={`#${only.path}`} className="underline underline-offset-3 hover:decoration-2">
              {message}
            </a>
          ) : (
            message
          )}
        </p>
        {fields.length > 0 && !only ? (
          <ul className="mt-1 grid list-disc gap-1 pl-4.5">
            {fields.map((field) => (
              <li key={`${field.path} ${field.message}`}>
                <a href={`#${field.path}`} className="underline underline-offset-3 hover:decoration-2">
                  {field.message}
                </a>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </div>
  );
};
