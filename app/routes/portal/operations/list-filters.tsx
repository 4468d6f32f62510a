import { Form, Link, useLocation, useSearchParams } from "@remix-run/react";
import type { FieldError } from "#app/domain/errors.ts";
import { Button } from "#app/portal/components/button.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";

/** One filter; `name` is its query parameter. */
export type Filter = { name: string; label: string } & (
  | { kind: "search"; spellCheck?: boolean }
  /** The id of an account. */
  | { kind: "number" }
  /** `any` is the choice that does not filter. */
  | { kind: "choice"; any: string; options: readonly { value: string; label: string }[] }
);

type Props = {
  /** What is filtered, for screen readers. */
  label: string;
  fields: readonly Filter[];
  /** Grid columns on wide screens; the last one is for the button. */
  columns: `lg:grid-cols-${string}`;
  errors: readonly FieldError[] | undefined;
};

/** The filters of a list. The form is a GET, so that a filtered list has an address, with and without scripts. */
export const ListFilters = ({ label, fields, columns, errors }: Props) => {
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const value = (name: string) => search.get(name) ?? "";
  const isSearch = fields.some(({ kind }) => kind === "search");
  return (
    <Form
      method="get"
      role="search"
      aria-label={label}
      key={search.toString()}
      className={`grid items-end gap-4 grid-cols-2 rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5 ${columns} max-lg:*:first:col-span-2`}
    >
      {fields.map((field) => (
        <FilterField key={field.name} field={field} value={value(field.name)} error={errorOf(errors, field.name)} />
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-lg:col-span-2">
        <Button type="submit" variant="primary" icon={isSearch ? "search" : "filter"}>
          {isSearch ? "Search" : "Apply filters"}
        </Button>
        {fields.some(({ name }) => value(name) !== "") ? (
          <Link to={pathname} className="link text-sm">
            Clear
          </Link>
        ) : null}
      </div>
    </Form>
  );
};

const FilterField = ({ field, value, error }: { field: Filter; value: string; error: string | undefined }) => {
  const { name, label } = field;
  switch (field.kind) {
    case "search":
      return (
        <TextField
          name={name}
          label={label}
          type="search"
          defaultValue={value}
          error={error}
          autoComplete="off"
          spellCheck={field.spellCheck}
        />
      );
    case "number":
      return (
        <TextField
          name={name}
          label={label}
          inputMode="numeric"
          defaultValue={value}
          error={error}
          autoComplete="off"
        />
      );
    case "choice":
      return (
        <SelectField
          name={name}
          label={label}
          defaultValue={value}
          options={[{ value: "", label: field.any }, ...field.options]}
        />
      );
  }
};
