import type { Figures } from "../../domain/catalogue/hierarchy.ts";
import { formatDays, formatMoney, formatNumber } from "../format.ts";
import { Stat, Stats } from "./stat.tsx";

/** Key figures of a region, a trade lane or a route group. */
export const CatalogueFigures = ({ figures }: { figures: Figures }) => (
  <Stats>
    <Stat label="Routes" value={formatNumber(figures.routes)} />
    <Stat label="Carriers" value={formatNumber(figures.carriers)} />
    <Stat
      label="Median transit"
      value={figures.medianTransitDays === null ? "–" : formatDays(figures.medianTransitDays)}
      note="fastest service level"
    />
    <Stat label="Sailings a week" value={formatNumber(figures.sailingsPerWeek)} note="of all routes together" />
    <Stat
      label="Data from"
      value={figures.priceFromCents === null ? "–" : formatMoney(figures.priceFromCents)}
      note="a route and month"
    />
  </Stats>
);
