import { Form } from "@remix-run/react";
import type { RecordField, RecordValues } from "#app/domain/stock/records.ts";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import type { FormProblem } from "#app/portal/form-action.server.ts";
import { formatWord } from "#app/portal/format.ts";

type Choices = Readonly<Record<string, readonly { code: string; name: string }[] | null>>;

type Props = {
  fields: readonly RecordField[];
  values: RecordValues;
  /** What fields that refer to other records offer. Null: too many to list. */
  choices: Choices;
  problem: FormProblem | null | undefined;
  intent: string;
  submit: string;
};

/** The form of a record of any kind, or of a part of it. */
export const RecordForm = ({ fields, values, choices, problem, intent, submit }: Props) => {
  const own = problem?.intent === intent ? problem : null;
  return (
    <Form method="post" className="grid gap-5" noValidate>
      {own ? <FormError message={own.message} fields={own.fields} /> : null}
      <div className="grid items-end gap-5 sm:grid-cols-2">
        {fields.map((field) => (
          <Input
            key={field.name}
            field={field}
            value={own?.values[field.name] ?? values[field.name] ?? ""}
            error={errorOf(own?.fields, field.name)}
            choices={choices[field.name] ?? null}
          />
        ))}
      </div>
      <div>
        <SubmitButton name="intent" value={intent} pendingLabel="Saving…">
          {submit}
        </SubmitButton>
      </div>
    </Form>
  );
};

type InputProps = { field: RecordField; value: string; error: string | undefined; choices: Choices[string] };

const Input = ({ field, value, error, choices }: InputProps) => {
  const { name, label, hint, isOptional = false } = field;
  const common = { name, label, error, optional: isOptional, defaultValue: value, ...(hint ? { hint } : {}) };
  const options =
    field.options?.map((option) => ({ value: option, label: formatWord(option) })) ??
    choices?.map(({ code, name: called }) => ({ value: code, label: `${called} (${code})` }));
  if (!options) return <TextField {...common} autoComplete="off" spellCheck={false} />;
  // A retired record is not offered, but a record may refer to it already.
  const known = value === "" || options.some((option) => option.value === value);
  const all = known ? options : [...options, { value, label: value }];
  return <SelectField {...common} options={[{ value: "", label: "Choose one" }, ...all]} />;
};
