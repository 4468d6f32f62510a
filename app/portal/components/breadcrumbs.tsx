import { Link } from "./button.tsx";
import { Icon } from "./icon.tsx";

export type Crumb = { label: string; to: string };

/** The page's ancestors, without the page itself: its title follows. A phone shows the parent only. */
export const Breadcrumbs = ({ crumbs }: { crumbs: readonly Crumb[] }) => (
  <nav aria-label="Breadcrumb" className="text-muted text-sm">
    <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
      {crumbs.map((crumb, i) => (
        <li key={crumb.to} className="flex min-w-0 items-center gap-1.5 max-sm:not-last:hidden">
          <Icon name="chevron-left" className="size-3.5 text-faint sm:hidden" />
          <Link to={crumb.to} prefetch="intent" className="truncate rounded py-0.5 hover:text-ink hover:underline">
            {crumb.label}
          </Link>
          {/* After its link, so that no line begins with it. */}
          {i < crumbs.length - 1 ? <Icon name="chevron-right" className="size-3.5 text-faint max-sm:hidden" /> : null}
        </li>
      ))}
    </ol>
  </nav>
);
