import type { SailingView } from "../sailing-view.ts";
import { Badge } from "./badge.tsx";
import { Small } from "./small.tsx";
import { Term } from "./term.tsx";

/** Of the column of `Vessels`. */
export const vesselHeading = (
  <>
    Vessel, <Term name="IMO" />
  </>
);

/** The vessel of each leg, with its IMO number and where the cargo changes to it. */
export const Vessels = ({ sailing }: { sailing: Pick<SailingView, "isCancelled" | "legs"> }) => (
  <span className="grid gap-1">
    {sailing.legs.map((leg, index) => (
      <span key={leg.sequence}>
        {leg.vessel ?? (sailing.isCancelled && index === 0 ? <Badge tone="neutral">Cancelled</Badge> : "–")}
        <Small>
          {[
            leg.vesselImo && `IMO ${leg.vesselImo}`,
            index === 0 ? null : `from transhipment port ${leg.from.port}, ${leg.serviceCode} ${leg.voyage}`,
          ]
            .filter(Boolean)
            .join(", ")}
        </Small>
        {index === 0 ? (
          <Small phone>
            {leg.serviceCode}, {leg.voyage}
          </Small>
        ) : null}
      </span>
    ))}
  </span>
);
