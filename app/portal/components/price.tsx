import { formatMoney } from "../format.ts";
import type { PriceView } from "../price-view.ts";

/** Which price a page shows: accounts see their own. */
export const priceLabel = (signedIn: boolean): "Your price" | "List price" => (signedIn ? "Your price" : "List price");

/** What the reader pays. Where that differs from the list price, the list price struck through, and why. */
export const Price = ({ price, unit }: { price: PriceView; unit?: string }) => (
  <>
    <ListPrice {...price} />
    <strong className="font-semibold text-ink">{formatMoney(price.cents)}</strong>
    {unit ? ` ${unit}` : null}
    {price.reason === null ? null : (
      <span className="block font-normal text-muted text-xs leading-5">{price.reason}</span>
    )}
  </>
);

/** In a table: wraps on a phone, where columns are narrow. */
export const PriceCell = ({ price }: { price: PriceView | null }) => {
  if (price === null) return "Not on sale";
  if (price.reason === null) return <strong>{formatMoney(price.cents)}</strong>;
  return (
    <span className="block max-sm:ml-auto max-sm:w-20 max-sm:whitespace-normal">
      <Price price={price} />
    </span>
  );
};

/** The list price, struck through, where it differs from what the reader pays. Goes before that price. */
export const ListPrice = ({ cents, listCents }: Pick<PriceView, "cents" | "listCents">) =>
  listCents === cents ? null : (
    <>
      <s className="font-normal text-muted text-xs">
        <span className="sr-only">List price </span>
        {formatMoney(listCents)}
      </s>{" "}
    </>
  );
