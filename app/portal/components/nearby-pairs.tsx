import { formatCount } from "../format.ts";
import { Link } from "./button.tsx";

export type NearbyPair = { origin: Port; destination: Port; routes: number };
type Port = { name: string; unlocode: string };

/** Links to the routes between ports near those that the page is about. */
export const NearbyPairs = ({ pairs }: { pairs: readonly NearbyPair[] }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
    {pairs.map(({ origin, destination, routes }) => (
      <li key={`${origin.unlocode} ${destination.unlocode}`}>
        <Link to={`/routes?origin=${origin.unlocode}&destination=${destination.unlocode}`} className="link">
          {origin.name} – {destination.name}
        </Link>{" "}
        <span className="text-muted">{formatCount(routes, "route")}</span>
      </li>
    ))}
  </ul>
);
