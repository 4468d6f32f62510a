import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

type Props = {
  title: ReactNode;
  /** The summary of the content. Visible while closed as well. */
  description?: ReactNode;
  /** Initially open, for example when a form inside it was rejected. */
  isOpen?: boolean;
  children: ReactNode;
};

/** A collapsible card for occasional tasks. Works without scripts. */
export const Disclosure = ({ title, description, isOpen = false, children }: Props) => (
  <details
    className="group min-w-0 overflow-hidden rounded-xl border border-line bg-surface shadow-card"
    open={isOpen || undefined}
  >
    <summary className="flex items-start gap-4 px-5 py-4 transition-colors hover:bg-canvas focus-visible:-outline-offset-2">
      <span className="min-w-0 flex-1">
        <span className="block font-semibold text-base text-ink leading-6">{title}</span>
        {description ? (
          <span className="mt-0.5 block text-pretty text-muted text-sm leading-5.5">{description}</span>
        ) : null}
      </span>
      <Icon
        name="chevron-down"
        className="mt-0.5 size-5 text-muted transition-transform group-open:rotate-180 motion-reduce:transition-none"
      />
    </summary>
    <div className="border-line border-t px-5 py-4">{children}</div>
  </details>
);
