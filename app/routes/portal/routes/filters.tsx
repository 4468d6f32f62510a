import { useEffect, useState } from "react";
import { Button } from "#app/portal/components/button.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { formatCount, formatNumber } from "#app/portal/format.ts";

export type FilterValue = { code: string; name: string; routes: number };
export type Filter = { name: string; label: string; values: FilterValue[] };

type Props = {
  filters: Filter[];
  total: number;
  /** The current choice, before the results are there. */
  chosen: URLSearchParams;
};

// The types of React 18 lack these attributes.
const sheet: object = { popover: "auto" };
const opens: object = { popovertarget: "filters" };
const closes: object = { popovertarget: "filters", popovertargetaction: "hide" };

/** Opens the filters, on a phone. */
export const FiltersButton = ({ count }: { count: number }) => (
  <Button type="button" icon="filter" className="lg:hidden" {...opens}>
    Filters{count > 0 ? ` (${count})` : ""}
  </Button>
);

/** The filters, each value with the number of routes that it would leave. */
export const Filters = ({ filters, total, chosen }: Props) => (
  <div id="filters" className="filter-sheet" {...sheet}>
    <div className="sticky top-0 z-10 -mx-4 flex items-center justify-between border-line border-b bg-surface px-4 py-2 lg:hidden">
      <span className="font-semibold text-ink">Filters</span>
      <Button type="button" variant="quiet" size="small" icon="x" {...closes}>
        Close
      </Button>
    </div>
    <a
      href="#results"
      className="sr-only rounded font-medium text-accent text-sm focus:not-sr-only focus:mb-2 focus:block max-lg:hidden"
    >
      Skip to the results
    </a>
    <div className="grid gap-5 max-lg:pt-4">
      {filters.map((filter) => (
        <FilterGroup key={filter.name} filter={filter} chosen={chosen.getAll(filter.name)} />
      ))}
      <noscript>
        <Button variant="primary" className="w-full">
          Apply filters
        </Button>
      </noscript>
    </div>
    <div className="sticky bottom-0 mt-4 bg-surface py-2 lg:hidden">
      <Button type="button" variant="primary" className="w-full" {...closes}>
        Show {formatCount(total, "route")}
      </Button>
    </div>
  </div>
);

const valuesShown = 6;

const FilterGroup = ({ filter, chosen }: { filter: Filter; chosen: string[] }) => {
  const [first, rest] = [filter.values.slice(0, valuesShown), filter.values.slice(valuesShown)];
  const choice = (value: FilterValue) => (
    <Choice key={value.code} name={filter.name} value={value} checked={chosen.includes(value.code)} />
  );
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-semibold text-[0.8125rem] text-ink">{filter.label}</legend>
      {first.map(choice)}
      {rest.length > 0 ? (
        <details className="group" open={rest.some(({ code }) => chosen.includes(code))}>
          <summary className="inline-flex min-h-8 items-center gap-1 rounded font-medium text-[0.8125rem] text-accent hover:underline">
            <Icon name="chevron-down" className="size-3.5 transition-transform group-open:rotate-180" />
            {formatNumber(rest.length)} more
          </summary>
          {rest.map(choice)}
        </details>
      ) : null}
    </fieldset>
  );
};

/** Ticked at once, before the search runs. The change event reaches the form, see `useInstantSearch`. */
const Choice = ({ name, value, checked }: { name: string; value: FilterValue; checked: boolean }) => {
  const [isTicked, setTicked] = useState(checked);
  useEffect(() => setTicked(checked), [checked]);
  return (
    <label className="flex min-h-9 items-center gap-2.5 rounded-lg py-1 text-sm leading-5 hover:text-accent lg:min-h-8">
      <input
        type="checkbox"
        name={name}
        value={value.code}
        checked={isTicked}
        onChange={({ target }) => setTicked(target.checked)}
        className="tick"
      />
      <span className="min-w-0 flex-1">{value.name}</span>
      <span className="text-faint text-xs tabular-nums">{formatNumber(value.routes)}</span>
    </label>
  );
};
