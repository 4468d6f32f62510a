import { Form, Link, useLocation, useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button } from "#app/portal/components/button.tsx";

type Props = {
  /** What the list holds; read out. */
  label: string;
  /** The fields' names, as they stand in the address. */
  names: readonly string[];
  /** The columns where there is room for them, the last one for the button. */
  columns: `lg:grid-cols-${string}`;
  /** Whether words are looked for, or only what is listed is narrowed. */
  act: "search" | "filter";
  /** The fields; `value` says what the address has for one. */
  children: (value: (name: string) => string) => ReactNode;
};

/** A list's filters as a form of the address: found lists can be kept and sent on, with scripts and without. */
export const ListFilters = ({ label, names, columns, act, children }: Props) => {
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const value = (name: string) => search.get(name) ?? "";
  return (
    <Form
      method="get"
      role="search"
      aria-label={label}
      key={search.toString()}
      className={`grid items-end gap-4 grid-cols-2 rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5 ${columns} max-lg:*:first:col-span-2`}
    >
      {children(value)}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-lg:col-span-2">
        <Button type="submit" variant="primary" icon={act}>
          {act === "search" ? "Search" : "Apply filters"}
        </Button>
        {names.some((name) => value(name) !== "") ? (
          <Link to={pathname} className="link text-sm">
            Clear
          </Link>
        ) : null}
      </div>
    </Form>
  );
};
