/** Key figures of the catalogue for pages, with the reader's own price. */
import type { Figures } from "../domain/catalogue/hierarchy.ts";
import type { Buyer } from "../domain/pricing/own-price.ts";
import { type PriceView, priceFromView } from "./price-view.ts";

export type FiguresView = Omit<Figures, "priceFromCents" | "cheapest"> & {
  /** Of one month, the lowest; null if nothing is on sale. */
  priceFrom: PriceView | null;
};

/** @param node read with the buyer's running routes apart */
export const figuresView = <Node extends Figures>(
  { priceFromCents: _, cheapest, ...node }: Node,
  buyer: Buyer,
): Omit<Node, "priceFromCents" | "cheapest"> & FiguresView => ({ ...node, priceFrom: priceFromView(buyer, cheapest) });
