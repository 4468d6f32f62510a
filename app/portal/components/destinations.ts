/** Where the portal's own navigation leads: the helm, the menus, the palette. */
import type { RootData } from "../root-data.ts";
import type { IconName } from "./icon.tsx";

export type Destination = {
  label: string;
  to: string;
  icon: IconName;
  /** After `g`, where single keys are on. */
  key?: string;
};

type Account = RootData["account"];

/** What everybody sees at the top. */
export const mainDestinations = (account: Account): readonly Destination[] => [
  { label: "Routes", to: "/routes", icon: "route", key: "r" },
  ...(account
    ? ([
        { label: "Subscriptions", to: "/subscriptions", icon: "layers", key: "s" },
        { label: "API keys", to: "/api-keys", icon: "key", key: "k" },
        { label: "Usage", to: "/usage", icon: "chart", key: "u" },
        { label: "Billing", to: "/billing", icon: "card", key: "b" },
      ] as const)
    : []),
];

export const documentation: Destination = { label: "Docs", to: "/docs", icon: "book", key: "d" };

export const accountDestinations = (account: NonNullable<Account>): readonly Destination[] => [
  { label: "Account settings", to: "/account", icon: "user" },
  { label: "Plan and limits", to: "/plan", icon: "chart" },
  { label: "Support", to: "/support", icon: "mail" },
  ...(account.role === "operator" ? [{ label: "Operations", to: "/operations", icon: "anchor" as const }] : []),
];

/** One step further in: found by the palette, and on the page above each. */
export const furtherDestinations = (account: Account): readonly Destination[] => [
  ...(account
    ? ([
        { label: "Basket", to: "/basket", icon: "layers" },
        { label: "Request log", to: "/usage/logs", icon: "chart" },
        { label: "Cards for renewals", to: "/billing/cards", icon: "card" },
        { label: "Password and sessions", to: "/account/security", icon: "lock" },
        { label: "New support request", to: "/support/new", icon: "mail" },
      ] as const)
    : ([
        { label: "Sign in", to: "/sign-in", icon: "user" },
        { label: "Create account", to: "/register", icon: "user" },
      ] as const)),
  { label: "API reference", to: "/docs/reference", icon: "book" },
];
