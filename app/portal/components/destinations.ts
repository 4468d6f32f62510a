/** The portal's navigation: what the top bar, the menus and the command palette link to. */
import type { RootData } from "../root-data.ts";
import type { IconName } from "./icon.tsx";

export type Destination = {
  label: string;
  to: string;
  /** Other paths that count as part of this destination. */
  also?: readonly string[];
  icon: IconName;
  /** How much is new there. */
  unread?: number;
  /** Shortcut key, pressed after `g`, if single-key shortcuts are on. */
  key?: string;
};

type Account = RootData["account"];

/** Links in the top bar. */
export const mainDestinations = (account: Account, unreadAlerts = 0): readonly Destination[] => [
  {
    label: "Routes",
    to: "/routes",
    also: ["/regions", "/trade-lanes", "/route-groups", "/compare"],
    icon: "route",
    key: "r",
  },
  ...(account
    ? ([
        { label: "Subscriptions", to: "/subscriptions", also: ["/market"], icon: "layers", key: "s" },
        { label: "Watchlist", to: "/watchlist", icon: "eye", key: "w", unread: unreadAlerts },
        { label: "API keys", to: "/api-keys", icon: "key", key: "k" },
        { label: "Usage", to: "/usage", icon: "chart", key: "u" },
        { label: "Billing", to: "/billing", icon: "card", key: "b" },
      ] as const)
    : []),
  ...(account?.role === "operator"
    ? [{ label: "Operations", to: "/operations", icon: "anchor" as const, key: "o" }]
    : []),
];

/** Whether a path belongs to a destination. */
export const isWithin = (pathname: string, { to, also = [] }: Pick<Destination, "to" | "also">): boolean =>
  [to, ...also].some((path) => pathname === path || pathname.startsWith(`${path}/`));

/** Sections of the operator console, in tab order. The first is the console's home page. */
export const consoleParts = [
  { label: "Today", to: "/operations", icon: "anchor" },
  { label: "Accounts", to: "/operations/accounts", icon: "user" },
  { label: "Subscriptions", to: "/operations/subscriptions", icon: "layers" },
  { label: "Quotes", to: "/operations/quotes", icon: "card" },
  { label: "Support", to: "/operations/support", icon: "mail" },
  { label: "Catalogue", to: "/operations/catalogue", icon: "globe" },
  { label: "Periods", to: "/operations/periods", icon: "route" },
  { label: "Import", to: "/operations/import", icon: "download" },
  { label: "Jobs", to: "/operations/jobs", icon: "clock" },
  { label: "E-mail", to: "/operations/mail", icon: "mail" },
  { label: "Audit", to: "/operations/audit", icon: "lock" },
] as const satisfies readonly Destination[];

export const documentation: Destination = { label: "Docs", to: "/docs", icon: "book", key: "d" };

export const accountDestinations: readonly Destination[] = [
  { label: "Account settings", to: "/account", icon: "user" },
  { label: "Plan and limits", to: "/plan", icon: "chart" },
  { label: "Support", to: "/support", icon: "mail" },
];
