import { Link } from "@remix-run/react";
import { Icon } from "#app/portal/components/icon.tsx";

export type Chip = { name: string; value: string; label: string };

/** The active filters, each with a button to remove it. */
export const Chips = ({ chips, params }: { chips: Chip[]; params: URLSearchParams }) =>
  chips.length === 0 ? null : (
    <ul className="flex flex-wrap items-center gap-2" aria-label="Active filters">
      {chips.map((chip) => (
        <li key={`${chip.name} ${chip.value}`}>
          <Link
            to={without(params, chip)}
            replace
            preventScrollReset
            aria-label={`Remove ${chip.label}`}
            className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-accent-line bg-accent-soft py-0.5 pr-2 pl-3 font-medium text-[0.8125rem] text-accent hover:border-accent"
          >
            {chip.label}
            <Icon name="x" className="size-3.5" />
          </Link>
        </li>
      ))}
      <li>
        <Link
          to={withoutFilters(params)}
          replace
          preventScrollReset
          className="inline-flex min-h-8 items-center rounded px-1 font-medium text-[0.8125rem] text-muted underline underline-offset-3 hover:text-ink"
        >
          Clear all
        </Link>
      </li>
    </ul>
  );

const without = (params: URLSearchParams, { name, value }: Chip): string => {
  const kept = [...params].filter(([key, text]) => key !== "cursor" && !(key === name && text === value));
  return `/routes?${new URLSearchParams(kept)}`;
};

const withoutFilters = (params: URLSearchParams): string =>
  params.get("view") === "map" ? "/routes?view=map" : "/routes";
