import { Link } from "@remix-run/react";
import { Icon } from "./icon.tsx";

export type Crumb = { label: string; to: string };

/** The way down to this page, the page itself left out: its title follows. */
export const Breadcrumbs = ({ crumbs }: { crumbs: readonly Crumb[] }) => (
  <nav aria-label="Breadcrumb" className="text-muted text-sm">
    <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
      {crumbs.map((crumb, i) => (
        <li key={crumb.to} className="flex items-center gap-1.5">
          {i > 0 ? <Icon name="chevron-right" className="size-3.5 text-faint" /> : null}
          <Link to={crumb.to} prefetch="intent" className="rounded py-0.5 hover:text-ink hover:underline">
            {crumb.label}
          </Link>
        </li>
      ))}
    </ol>
  </nav>
);
