import { comparisonSpeedKnots, type SearouteAlternative } from "#app/domain/catalogue/searoutes.ts";
import { Card } from "#app/portal/components/card.tsx";
import type { LonLat } from "#app/portal/components/route-map/projection.ts";
import { Small } from "#app/portal/components/small.tsx";
import { Table } from "#app/portal/components/table.tsx";
import { formatDays, formatNauticalMiles } from "#app/portal/format.ts";

type AlternativeView = Omit<ReturnType<typeof alternativeView>, "line">;

/** The line is null for an alternative more than twice as long as the route: the map would shrink the route to a dot. */
export const alternativeView = ({
  via,
  nauticalMiles,
  extraNauticalMiles,
  extraDays,
  waypoints,
}: SearouteAlternative) => ({
  via,
  nauticalMiles,
  extraNauticalMiles,
  extraDays,
  line:
    nauticalMiles > 2 * (nauticalMiles - extraNauticalMiles)
      ? null
      : waypoints.map(({ lon, lat }): LonLat => [lon, lat]),
});

/** Sea routes by other canals, to compare. */
export const Alternatives = ({ alternatives }: { alternatives: readonly AlternativeView[] }) => (
  <Card
    id="alternatives"
    title="Alternative routings"
    description={`Other sea routes between these ports. Extra time at ${comparisonSpeedKnots} knots.`}
    flush
  >
    <Table
      caption="Alternative routings"
      narrow
      rows={alternatives}
      rowKey={(row) => `${row.via} ${row.nauticalMiles}`}
      columns={[
        {
          key: "via",
          header: "Via",
          primary: true,
          cell: (row) => (
            <>
              {row.via}
              <Small phone>{formatNauticalMiles(row.nauticalMiles)}</Small>
            </>
          ),
        },
        {
          key: "distance",
          header: "Distance",
          align: "end",
          desktopOnly: true,
          cell: (row) => formatNauticalMiles(row.nauticalMiles),
        },
        {
          key: "extra-distance",
          header: "Extra distance",
          align: "end",
          cell: (row) => withSign(row.extraNauticalMiles, formatNauticalMiles),
        },
        {
          key: "extra-time",
          header: "Extra time",
          align: "end",
          cell: (row) => withSign(row.extraDays, formatDays),
        },
      ]}
    />
  </Card>
);

const withSign = (value: number, format: (value: number) => string): string =>
  `${value > 0 ? "+" : value < 0 ? "−" : ""}${format(Math.abs(value))}`;
