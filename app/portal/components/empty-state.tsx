import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

type Props = {
  icon: IconName;
  title: string;
  /** What would be shown here, and how to get it. */
  children?: ReactNode;
  action?: ReactNode;
};

export const EmptyState = ({ icon, title, children, action }: Props) => (
  <div className="mx-auto flex max-w-md flex-col items-center px-6 py-12 text-center">
    <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
      <Icon name={icon} className="size-6" />
    </span>
    <p className="mt-4 font-semibold text-base text-ink">{title}</p>
    {children ? <div className="mt-1 text-balance text-muted text-sm leading-5.5">{children}</div> : null}
    {action ? <div className="mt-5 flex flex-wrap justify-center gap-2.5">{action}</div> : null}
  </div>
);
