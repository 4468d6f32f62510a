import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

export type AlertTone = "info" | "success" | "warning" | "danger";

type Props = {
  tone?: AlertTone;
  title?: ReactNode;
  children?: ReactNode;
  /** A button or link, placed last. */
  action?: ReactNode;
  /** Screen readers announce it when it appears. Use it for something that has just happened. */
  live?: boolean;
};

export const Alert = ({ tone = "info", title, children, action, live = false }: Props) => (
  <div
    role={live ? (tone === "danger" ? "alert" : "status") : undefined}
    className={`flex flex-wrap items-start gap-x-3 gap-y-3 rounded-xl border px-4 py-3 text-sm sm:flex-nowrap ${tones[tone]}`}
  >
    <Icon name={icons[tone]} className="mt-0.5 size-5" />
    <div className="min-w-0 flex-1 leading-6">
      {title ? <p className="font-semibold">{title}</p> : null}
      {children ? <div className="text-ink">{children}</div> : null}
    </div>
    {action ? <div className="flex w-full shrink-0 gap-2 sm:w-auto">{action}</div> : null}
  </div>
);

const tones = {
  info: "border-accent-line bg-accent-soft text-accent",
  success: "border-success-line bg-success-soft text-success",
  warning: "border-warning-line bg-warning-soft text-warning",
  danger: "border-danger-line bg-danger-soft text-danger",
} satisfies Record<AlertTone, string>;

const icons = {
  info: "info",
  success: "check-circle",
  warning: "alert-triangle",
  danger: "x-circle",
} satisfies Record<AlertTone, IconName>;
