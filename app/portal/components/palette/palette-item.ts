/** Types of the command palette's search results. */
import type { IconName } from "../icon.tsx";

/** Response body of /search. */
export type SearchResults = {
  routes: { id: number; name: string; code: string; carrier: string }[];
  searches: { id: number; name: string; query: string }[];
  subscriptions: { id: number; name: string; code: string; lastDay: string }[];
  invoices: { id: number; number: string; issuedAt: string; amountCents: number; currency: string }[];
  keys: { id: number; name: string; status: string }[];
  documents: { title: string; detail: string; to: string }[];
};

export type PaletteItem = {
  /** Also the id of the option's element. */
  id: string;
  label: string;
  detail?: string;
  icon: IconName;
  to: string;
};

export type PaletteGroup = { label: string; items: readonly PaletteItem[] };
