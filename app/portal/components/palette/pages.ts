/** The pages that the command palette finds, by their labels and by other words for them. */
import type { RootData } from "../../root-data.ts";
import {
  accountDestinations,
  consoleParts,
  type Destination,
  documentation,
  mainDestinations,
} from "../destinations.ts";

type Account = RootData["account"];

export const pagesFound = (account: Account, words: readonly string[]): readonly Destination[] =>
  [
    ...mainDestinations(account),
    documentation,
    ...(account ? accountDestinations : []),
    ...furtherPages(account),
  ].filter(({ label, to }) => {
    const text = `${label} ${otherWords[to] ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });

/** Pages one level deeper. Their parent pages link to them. */
const furtherPages = (account: Account): readonly Destination[] => [
  { label: "Regions", to: "/regions", icon: "globe" },
  { label: "Compare routes", to: "/compare", icon: "route" },
  { label: "Basket", to: "/basket", icon: "layers" },
  ...(account ? pagesOfAccounts : pagesOfVisitors),
  ...(account?.role === "operator"
    ? [
        ...consoleParts.slice(1).map((part) => ({ ...part, label: `Operations: ${part.label.toLowerCase()}` })),
        { label: "Operations: job runs", to: "/operations/jobs/runs", icon: "clock" as const },
      ]
    : []),
  { label: "Plans and limits compared", to: "/plans", icon: "chart" },
  { label: "Service status", to: "/status", icon: "clock" },
  { label: "API reference", to: "/docs/reference", icon: "book" },
  { label: "API changelog", to: "/docs/changelog", icon: "book" },
  { label: "Glossary", to: "/docs/glossary", icon: "book" },
  { label: "Terms", to: "/terms", icon: "book" },
  { label: "Privacy", to: "/privacy", icon: "book" },
];

const pagesOfVisitors: readonly Destination[] = [
  { label: "Sign in", to: "/sign-in", icon: "user" },
  { label: "Create account", to: "/register", icon: "user" },
];

const pagesOfAccounts: readonly Destination[] = [
  { label: "Home", to: "/", icon: "anchor" },
  { label: "Saved searches", to: "/routes/saved", icon: "search" },
  { label: "Departures", to: "/schedule", icon: "calendar" },
  { label: "Alerts", to: "/watchlist/alerts", icon: "eye" },
  { label: "Your routes compared with the market", to: "/market", icon: "chart" },
  { label: "Download data", to: "/download", icon: "download" },
  { label: "Request log", to: "/usage/logs", icon: "chart" },
  { label: "Billing details", to: "/billing/details", icon: "card" },
  { label: "Statements", to: "/billing/statements", icon: "card" },
  { label: "Quotes", to: "/billing/quotes", icon: "card" },
  { label: "Cards for renewals", to: "/billing/cards", icon: "card" },
  { label: "Password, passkeys and sessions", to: "/account/security", icon: "lock" },
  { label: "Two-factor authentication", to: "/account/security/two-factor", icon: "lock" },
  { label: "Account activity", to: "/account/activity", icon: "clock" },
  { label: "Webhooks", to: "/account/webhooks", icon: "key" },
  { label: "Your data", to: "/account/data", icon: "download" },
  { label: "Close account", to: "/account/close", icon: "user" },
  { label: "New support request", to: "/support/new", icon: "mail" },
];

/** What else people call a page. */
const otherWords: Readonly<Record<string, string>> = {
  "/": "dashboard overview start",
  "/routes": "search ports map carriers",
  "/regions": "trade lanes browse map",
  "/compare": "carriers rates side by side",
  "/subscriptions": "renewal renew cancel auto-renewal expire",
  "/schedule": "sailings schedule etd eta vessels cut-offs",
  "/watchlist": "watch follow notifications",
  "/watchlist/alerts": "notifications",
  "/market": "benchmark median rates",
  "/download": "export csv excel parquet reports rates",
  "/api-keys": "token secret credentials access",
  "/usage": "quota requests statistics analytics rate limit",
  "/usage/logs": "requests errors api log",
  "/billing": "invoices receipts payments history pay",
  "/billing/details": "vat tax number company invoice address",
  "/billing/statements": "invoices month account",
  "/billing/quotes": "custom pricing offer",
  "/billing/cards": "payment methods credit card",
  "/basket": "cart checkout buy",
  "/account": "profile settings username email e-mail language time zone",
  "/account/security": "change password passkeys sign out devices 2fa two-factor mfa email e-mail",
  "/account/security/two-factor": "2fa mfa totp otp authenticator recovery codes security",
  "/account/activity": "audit log history sign-ins",
  "/account/webhooks": "events endpoints deliveries callbacks",
  "/account/data": "gdpr export my data",
  "/account/close": "delete account",
  "/plan": "pricing upgrade rate limit quota free professional enterprise",
  "/support": "help contact",
  "/support/new": "help contact question ticket",
  "/docs": "documentation guides api help",
  "/docs/reference": "endpoints openapi",
  "/docs/changelog": "what's new versions",
  "/docs/glossary": "terms abbreviations codes",
  "/privacy": "gdpr cookies",
  "/terms": "conditions legal",
};
