/** What the palette lists. */
import type { IconName } from "../icon.tsx";

/** The answer of /search. */
export type SearchAnswer = {
  routes: { id: number; name: string; code: string; carrier: string }[];
  subscriptions: { id: number; name: string; code: string; ends: string }[];
};

export type PaletteItem = {
  /** Of the option's element too. */
  id: string;
  label: string;
  detail?: string;
  icon: IconName;
  to: string;
};

export type PaletteGroup = { label: string; items: readonly PaletteItem[] };
