import type { ReactNode } from "react";

type Props = {
  /** For links within the page. */
  id?: string;
  title?: ReactNode;
  /** Under the title. */
  description?: ReactNode;
  /** At the end of the title row. */
  actions?: ReactNode;
  /** Below a divider, on a muted background: totals, notes, form buttons. */
  footer?: ReactNode;
  /** Removes the padding, for tables and lists. */
  flush?: boolean;
  children?: ReactNode;
};

export const Card = ({ id, title, description, actions, footer, flush = false, children }: Props) => (
  <section
    id={id}
    className="flex min-w-0 flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-card"
  >
    {title || actions ? (
      <div
        className={`flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-5 pt-4 ${flush || !children ? "pb-4" : ""} ${flush ? "border-b border-line" : ""}`}
      >
        <div className="min-w-0">
          {title ? <h2 className="font-semibold text-base text-ink leading-6">{title}</h2> : null}
          {description ? <p className="mt-0.5 text-muted text-sm leading-5.5">{description}</p> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
    ) : null}
    {children ? <div className={`grow ${flush ? "" : "px-5 py-4"}`}>{children}</div> : null}
    {footer ? <div className="border-t border-line bg-canvas px-5 py-3 text-muted text-sm">{footer}</div> : null}
  </section>
);
