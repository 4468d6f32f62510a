import { useEffect, useRef, useState } from "react";
import type { FieldError } from "../../domain/errors.ts";
import { Icon } from "./icon.tsx";

type Props = {
  /** What went wrong with the form as a whole. */
  message: string;
  /** Each field whose `name` is the path shows its own error as well. */
  fields?: readonly FieldError[];
  /**
   * Shows the box even if its only error is at a field: a declined card is reported at its number, but what to do next is
   * rarely to correct it.
   */
  alwaysShown?: boolean;
};

/**
 * Error summary at the top of a rejected form. With scripts the focus moves to the first invalid field, which shows its
 * own error, or to this box if no field is invalid. Without scripts the links lead to the fields.
 */
export const FormError = ({ message, fields = [], alwaysShown = false }: Props) => {
  const box = useRef<HTMLDivElement>(null);
  const [hasNoField, setHasNoField] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new error moves the focus again
  useEffect(() => {
    const first = firstOf(fields);
    setHasNoField(first === null);
    (first ?? box.current)?.focus();
  }, [message, fields, hasNoField]);
  const paths = new Set(fields.map(({ path }) => path));
  const isShownAtField = paths.size === 1 && !hasNoField && !alwaysShown;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className={`gap-3 rounded-xl border border-danger-line bg-danger-soft px-4 py-3 text-danger text-sm focus-visible:rounded-xl ${isShownAtField ? "hidden noscript:flex" : "flex"}`}
    >
      <Icon name="x-circle" className="mt-0.5 size-5" />
      <div className="min-w-0">
        <p className="font-semibold leading-6">
          {paths.size > 1 ? (
            `Fix ${paths.size} fields to continue`
          ) : paths.size === 1 && !hasNoField ? (
            <a href={`#${fields[0]?.path}`} className="underline underline-offset-3 hover:decoration-2">
              {message}
            </a>
          ) : (
            message
          )}
        </p>
        {paths.size > 1 ? (
          <ul className={`mt-1 list-disc gap-1 pl-4.5 ${hasNoField ? "grid" : "hidden noscript:grid"}`}>
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

/** The first invalid field in document order, whatever the order of the errors. */
const firstOf = (fields: readonly FieldError[]): HTMLElement | null =>
  fields
    .map(({ path }) => document.getElementById(path))
    .filter((element) => element !== null)
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0] ?? null;
