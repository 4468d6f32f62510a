import { useEffect, useRef } from "react";
import type { FormProblem } from "../form-action.server.ts";
import { errorOf } from "./field-errors.ts";
import { Icon } from "./icon.tsx";
import { TextField } from "./text-field.tsx";

/** Card fields of test mode, as `testCard` parses them. */
export const TestCardFields = ({ problem }: { problem: FormProblem | null | undefined }) => (
  <div ref={useClearOnError(problem)} className="contents">
    <TextField
      name="number"
      label="Card number"
      inputMode="numeric"
      autoComplete="cc-number"
      placeholder="4242 4242 4242 4242"
      required
      error={errorOf(problem?.fields, "number")}
    />
    <div className="grid grid-cols-2 gap-4">
      <TextField
        name="expiry"
        label="Expiry"
        inputMode="numeric"
        autoComplete="cc-exp"
        placeholder="MM / YY"
        required
        defaultValue={problem?.values.expiry}
        error={errorOf(problem?.fields, "expiry")}
      />
      <TextField
        name="cvc"
        label="Security code"
        inputMode="numeric"
        autoComplete="cc-csc"
        placeholder="CVC"
        required
        error={errorOf(problem?.fields, "cvc")}
      />
    </div>
  </div>
);

/** Clears the number and code of a rejected card, as a page load without scripts does. */
const useClearOnError = (problem: FormProblem | null | undefined) => {
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!problem) return;
    for (const input of fields.current?.querySelectorAll("input") ?? []) {
      if (input.name !== "expiry") input.value = "";
    }
  }, [problem]);
  return fields;
};

export const TestCardList = () => (
  <details className="group text-sm">
    <summary className="inline-flex min-h-6 items-center gap-1.5 rounded font-medium text-accent">
      <Icon name="chevron-right" className="size-4 transition-transform group-open:rotate-90" />
      Test cards
    </summary>
    <dl className="mt-3 grid gap-2 tabular-nums">
      {testCards.map(([number, what]) => (
        <div key={number} className="flex flex-wrap justify-between gap-x-4">
          <dt className="font-mono">{number}</dt>
          <dd className="text-muted">{what}</dd>
        </div>
      ))}
    </dl>
    <p className="mt-3 text-muted">Use any future expiry date and any three-digit security code.</p>
  </details>
);

const testCards = [
  ["4242 4242 4242 4242", "succeeds"],
  ["4000 0025 0000 3155", "requires authentication"],
  ["4000 0000 0000 0341", "succeeds now, declined at renewal"],
  ["4000 0000 0000 0002", "declined"],
  ["4000 0000 0000 9995", "declined: insufficient funds"],
] as const;
