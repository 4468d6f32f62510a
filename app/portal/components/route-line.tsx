import type { RouteFacts } from "../route-facts.server.ts";

type Props = RouteFacts & { routeCode: string };

/** The line under a route's name: carrier, cargo and code. */
export const RouteLine = ({ carrier, cargo, routeCode }: Props) => (
  <span className="flex flex-wrap gap-x-2 font-normal text-muted text-xs leading-5">
    {[carrier, cargo]
      .filter((fact) => fact !== "")
      .map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    <span className="font-mono">{routeCode}</span>
  </span>
);
