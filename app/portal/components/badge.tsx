import type { ReactNode } from "react";

export type BadgeTone = "neutral" | "accent" | "success" | "warning" | "danger";

type Props = {
  tone?: BadgeTone;
  /** Shows a dot before the text. Use it for states. */
  dot?: boolean;
  children: ReactNode;
};

export const Badge = ({ tone = "neutral", dot = false, children }: Props) => (
  <span
    className={`inline-flex items-center gap-1.5 rounded-full border px-2 font-medium text-xs leading-5.5 whitespace-nowrap ${tones[tone]}`}
  >
    {dot ? (
      <svg viewBox="0 0 6 6" className="size-1.5" fill="currentColor" aria-hidden="true">
        <circle cx="3" cy="3" r="3" />
      </svg>
    ) : null}
    {children}
  </span>
);

const tones = {
  neutral: "border-line bg-sunken text-muted",
  accent: "border-accent-line bg-accent-soft text-accent",
  success: "border-success-line bg-success-soft text-success",
  warning: "border-warning-line bg-warning-soft text-warning",
  danger: "border-danger-line bg-danger-soft text-danger",
} satisfies Record<BadgeTone, string>;
