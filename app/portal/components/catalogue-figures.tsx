import type { FiguresView } from "../figures-view.ts";
import { formatDays, formatMoney, formatNumber } from "../format.ts";
import { ListPrice, priceLabel } from "./price.tsx";
import { Stat, Stats } from "./stat.tsx";
import { Term } from "./term.tsx";

/** Key figures of a region, a trade lane or a route group. */
export const CatalogueFigures = ({ figures, signedIn }: { figures: FiguresView; signedIn: boolean }) => (
  <Stats>
    <Stat label="Routes" value={formatNumber(figures.routes)} />
    <Stat label="Carriers" value={formatNumber(figures.carriers)} />
    <Stat
      label={
        <>
          Median <Term name="Transit time">transit time</Term>
        </>
      }
      value={figures.medianTransitDays === null ? "–" : formatDays(figures.medianTransitDays)}
      note="at the fastest service level"
    />
    <Stat label="Sailings per week" value={formatNumber(figures.sailingsPerWeek)} note="on all routes" />
    <Stat
      label={`${priceLabel(signedIn)} from`}
      value={
        figures.priceFrom ? (
          <>
            <ListPrice {...figures.priceFrom} />
            {formatMoney(figures.priceFrom.cents)}
          </>
        ) : (
          "–"
        )
      }
      note={["per route and month", figures.priceFrom?.reason].filter(Boolean).join(", ")}
    />
  </Stats>
);
