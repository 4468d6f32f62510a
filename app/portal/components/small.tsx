import type { ReactNode } from "react";

type Props = {
  /** Shown on a phone only, in place of a hidden column. */
  phone?: boolean;
  children: ReactNode;
};

/** A second line in a table cell. */
export const Small = ({ phone = false, children }: Props) => (
  <span className={`block font-normal text-muted text-xs ${phone ? "sm:hidden" : ""}`}>{children}</span>
);
