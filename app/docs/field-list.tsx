import { Icon } from "../portal/components/icon.tsx";
import { InlineText } from "./inline-text.tsx";
import type { Field } from "./reference.ts";

/** Fields with their types. Nested fields expand. */
export const FieldList = ({ fields, showRequired }: { fields: readonly Field[]; showRequired: boolean }) => (
  <ul className="divide-y divide-line">
    {fields.map((field) => (
      <li key={field.name} className="py-3 text-sm leading-6 first:pt-0 last:pb-0">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <code className="font-mono font-semibold text-[0.8125rem] text-ink">{field.name}</code>
          <span className="text-muted">{field.type}</span>
          {field.limits ? <span className="text-faint">{field.limits}</span> : null}
          {showRequired && field.required ? <span className="font-medium text-warning text-xs">required</span> : null}
          {showRequired && !field.required ? <span className="text-faint text-xs">optional</span> : null}
        </p>
        {field.description ? (
          <p className="text-muted">
            <InlineText text={field.description} />
          </p>
        ) : null}
        {field.values.length > 0 ? (
          <p className="text-muted">
            {field.values.length > 1 ? "One of " : "Only "}
            {field.values.map((value, i) => (
              <span key={value}>
                {i > 0 ? ", " : null}
                <code className="font-mono text-[0.8125rem] text-ink">{value}</code>
              </span>
            ))}
            .
          </p>
        ) : null}
        {field.fields.length > 0 ? (
          <details className="group/fields mt-1.5">
            <summary className="inline-flex min-h-8 items-center gap-1 rounded-md pr-2 font-medium text-[0.8125rem] text-accent hover:bg-accent-soft">
              <Icon name="chevron-right" className="size-4 group-open/fields:rotate-90" />
              Fields of {field.name}
            </summary>
            <div className="mt-2 border-line border-l-2 pl-4">
              <FieldList fields={field.fields} showRequired={showRequired} />
            </div>
          </details>
        ) : null}
      </li>
    ))}
  </ul>
);
