import { NavLink, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useCurrentInView } from "./tabs.tsx";

/** Navigation between the account settings: a sidebar, or a strip above the page on a phone. */
export const AccountSettings = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-10 print:block">
    <nav
      ref={useCurrentInView(useLocation().pathname)}
      aria-label="Account settings"
      className="scroll-row no-print min-w-0 border-line border-b lg:border-0"
    >
      <p className="mb-2 hidden px-3 font-semibold text-[0.8125rem] text-muted lg:block" aria-hidden="true">
        Account settings
      </p>
      <ul className="flex gap-3 lg:sticky lg:top-6 lg:grid lg:gap-0.5">
        {pages.map((page) => (
          <li key={page.to}>
            <NavLink to={page.to} end={page.to === "/account"} prefetch="intent" className={item}>
              {page.label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
    <div className="grid min-w-0 max-w-4xl content-start gap-6">{children}</div>
  </div>
);

const pages: readonly { label: string; to: string }[] = [
  { label: "Profile", to: "/account" },
  { label: "Security", to: "/account/security" },
  { label: "Webhooks", to: "/account/webhooks" },
  { label: "Activity", to: "/account/activity" },
  { label: "Your data", to: "/account/data" },
  // Outside /account, because other pages link to it as well.
  { label: "Plan", to: "/plan" },
];

const item =
  "flex min-h-11 items-center border-b-2 border-transparent font-medium text-muted text-sm whitespace-nowrap hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent-fill aria-[current=page]:text-ink lg:min-h-9 lg:rounded-lg lg:border-0 lg:px-3 lg:hover:bg-sunken lg:aria-[current=page]:bg-accent-soft lg:aria-[current=page]:text-accent forced-colors:aria-[current=page]:underline";
