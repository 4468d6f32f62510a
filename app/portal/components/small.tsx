import type { ReactNode } from "react";

type Props = {
  /** On a phone only, where it stands for a column that is left out. */
  phone?: boolean;
  children: ReactNode;
};

/** A second line in a table's cell. */
export const Small = ({ phone = false, children }: Props) => (
  <span className={`block font-normal text-muted text-xs ${phone ? "sm:hidden" : ""}`}>{children}</span>
);
