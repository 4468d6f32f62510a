import type { ReactNode } from "react";
import { Breadcrumbs, type Crumb } from "./breadcrumbs.tsx";

type Props = {
  title: ReactNode;
  breadcrumbs?: readonly Crumb[];
  /** A status badge beside the title. */
  badge?: ReactNode;
  /** One or two sentences. */
  description?: ReactNode;
  /** Buttons, the primary one last. */
  actions?: ReactNode;
};

/** The page's only `h1`. */
export const PageHeader = ({ title, breadcrumbs, badge, description, actions }: Props) => (
  <header className="grid min-w-0 grid-cols-1 gap-2">
    {breadcrumbs && breadcrumbs.length > 0 ? <Breadcrumbs crumbs={breadcrumbs} /> : null}
    <div className="flex min-w-0 flex-wrap items-end justify-between gap-x-6 gap-y-4 md:flex-nowrap">
      <div className="min-w-0 max-w-3xl md:flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h1 className="font-semibold text-2xl text-ink leading-8 tracking-tight sm:text-[1.75rem] sm:leading-9">
            {title}
          </h1>
          {badge}
        </div>
        {description ? <p className="mt-1.5 text-pretty text-muted">{description}</p> : null}
      </div>
      {actions ? (
        <div className="flex flex-wrap items-center gap-2.5 md:max-w-[55%] md:shrink-0 md:justify-end">{actions}</div>
      ) : null}
    </div>
  </header>
);
