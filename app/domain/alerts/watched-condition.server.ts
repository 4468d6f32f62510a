/** Conditions that the queries about watches share. */
import { sql } from "drizzle-orm";
import { routes, watches } from "#drizzle/schema/index.ts";

/** Joins a watch with its routes. Retired routes are left out of port pairs, but can be watched by themselves. */
export const watchesRoute = sql`(${watches.routeId} = ${routes.id} or (
  ${watches.originPortId} = ${routes.originPortId} and ${watches.destinationPortId} = ${routes.destinationPortId}
  and (${watches.cargoType} is null or ${watches.cargoType} = ${routes.cargoType}) and ${routes.retiredAt} is null))`;
