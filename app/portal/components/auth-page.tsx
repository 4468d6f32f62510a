import type { ReactNode } from "react";

type Props = {
  title: string;
  lead: string;
  /** Below the form: a link to the alternative, such as sign-in or registration. */
  aside: ReactNode;
  children: ReactNode;
};

/** A page with one narrow, centred form. */
export const AuthPage = ({ title, lead, aside, children }: Props) => (
  <div className="mx-auto w-full max-w-md py-4 sm:py-10">
    <h1 className="font-semibold text-2xl text-ink tracking-tight">{title}</h1>
    <p className="mt-1.5 mb-6 text-pretty text-muted">{lead}</p>
    <div className="rounded-xl border border-line bg-surface p-5 shadow-card sm:p-7">{children}</div>
    <p className="mt-5 text-center text-muted text-sm [&_a]:font-medium [&_a]:text-accent [&_a]:underline [&_a]:underline-offset-3">
      {aside}
    </p>
  </div>
);
