import { Link } from "@remix-run/react";
import type { OtherRoute } from "#app/domain/catalogue/nearby.server.ts";
import { Card } from "#app/portal/components/card.tsx";
import { type NearbyPair, NearbyPairs } from "#app/portal/components/nearby-pairs.tsx";
import { formatDays, formatSailings, formatWord } from "#app/portal/format.ts";

/** Other carriers between the same ports, and port pairs nearby. */
export const OtherRoutes = ({ others, nearby }: { others: readonly OtherRoute[]; nearby: readonly NearbyPair[] }) =>
  others.length + nearby.length === 0 ? null : (
    <Card id="others" title="Other carriers and nearby ports">
      <ul className="grid gap-1.5 text-sm">
        {others.map(({ id, carrier, cargoType, transitDays, sailingsPerWeek }) => (
          <li key={id}>
            <Link to={`/routes/${id}`} className="link">
              {carrier}
            </Link>{" "}
            <span className="text-muted">
              {formatWord(cargoType)}
              {transitDays === null ? "" : `, ${formatDays(transitDays)}`},{" "}
              {formatSailings(sailingsPerWeek).toLowerCase()}
            </span>
          </li>
        ))}
      </ul>
      {nearby.length > 0 ? (
        <div className={others.length > 0 ? "mt-3 border-line border-t pt-3" : ""}>
          <NearbyPairs pairs={nearby} />
        </div>
      ) : null}
    </Card>
  );
