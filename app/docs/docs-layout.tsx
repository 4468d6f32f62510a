import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Link } from "../portal/components/button.tsx";
import { isWithin } from "../portal/components/destinations.ts";
import { Icon } from "../portal/components/icon.tsx";
import { guides } from "./guides.ts";
import type { ReferenceGroup } from "./reference.ts";

type Props = { groups: readonly ReferenceGroup[]; children: ReactNode };

/** The table of contents beside the page, or collapsed above it on a phone. */
export const DocsLayout = ({ groups, children }: Props) => (
  <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-10">
    <details key={useLocation().pathname} className="group mb-6 rounded-xl border border-line bg-surface lg:hidden">
      <summary className="flex min-h-11 items-center justify-between px-4 font-medium text-ink">
        Documentation pages
        <Icon name="chevron-down" className="size-4 text-muted group-open:rotate-180" />
      </summary>
      <nav aria-label="Documentation, small screens" className="border-line border-t p-2">
        <Pages groups={groups} />
      </nav>
    </details>
    <nav
      aria-label="Documentation"
      className="sticky top-4 hidden max-h-[calc(100dvh-2rem)] self-start overflow-y-auto pr-2 lg:block"
    >
      <Pages groups={groups} />
    </nav>
    <div className="min-w-0">{children}</div>
  </div>
);

const Pages = ({ groups }: { groups: readonly ReferenceGroup[] }) => (
  <div className="space-y-3 text-sm">
    <PageList
      title="Guides"
      pages={[
        { to: "/docs", label: "Overview", end: true },
        ...guides.map(({ slug, title }) => ({ to: `/docs/${slug}`, label: title })),
      ]}
    />
    <PageList
      title="Reference"
      pages={[
        { to: "/docs/changelog", label: "Changelog" },
        { to: "/docs/reference", label: "All endpoints", end: true },
      ]}
    />
    {groups.map((group) => (
      <Group key={group.tag} group={group} />
    ))}
  </div>
);

/** Collapsed unless the current page is in it. */
const Group = ({ group: { tag, operations } }: { group: ReferenceGroup }) => {
  const { pathname } = useLocation();
  const pages = operations.map(({ slug, summary }) => ({ to: `/docs/reference/${slug}`, label: summary }));
  return (
    <details open={pages.some(({ to }) => to === pathname)} className="group/tag">
      <summary className="flex min-h-8 items-center justify-between rounded-lg px-2.5 font-semibold text-[0.8125rem] text-ink hover:bg-sunken focus-visible:-outline-offset-2">
        {tag}
        <Icon name="chevron-right" className="size-4 text-muted group-open/tag:rotate-90" />
      </summary>
      <PageLinks pages={pages} />
    </details>
  );
};

/** `end`: pages below it do not count as part of it. */
type Page = { to: string; label: string; end?: boolean };

const PageList = ({ title, pages }: { title: string; pages: readonly Page[] }) => (
  <div>
    <p className="px-2.5 font-semibold text-[0.8125rem] text-ink">{title}</p>
    <PageLinks pages={pages} />
  </div>
);

const PageLinks = ({ pages }: { pages: readonly Page[] }) => {
  const { pathname } = useLocation();
  return (
    <ul className="mt-1">
      {pages.map(({ to, label, end = false }) => {
        const isCurrent = end ? pathname === to : isWithin(pathname, { to });
        return (
          <li key={to}>
            <Link to={to} prefetch="intent" aria-current={isCurrent ? "page" : undefined} className={pageLink}>
              {label}
            </Link>
          </li>
        );
      })}
    </ul>
  );
};

const pageLink =
  "flex min-h-10 items-center rounded-lg px-2.5 py-1.5 text-muted leading-5 hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent forced-colors:aria-[current=page]:underline lg:min-h-8 lg:py-1";
