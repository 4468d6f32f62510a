import { apiRoute } from "#app/api/api-route.server.ts";
import { serveMcp } from "#app/api/mcp/mcp-server.server.ts";
import { tool } from "#app/api/mcp/tool.ts";
import { action as allRoutes } from "./route-access/all-routes.ts";
import { action as changes } from "./route-access/changes.ts";
import { action as checkAccess } from "./route-access/check-access.ts";
import { action as compare } from "./route-access/compare.ts";
import { action as routesData } from "./route-access/routes-data.ts";
import { action as schedules } from "./route-access/schedules.ts";
import { action as calculatePrice } from "./subscriptions/calculate-subscription-price.ts";
import { action as myRoutes } from "./subscriptions/my-routes.ts";

const tools = [
  tool({
    name: "search_routes",
    title: "Search routes",
    description:
      "Finds routes in the catalogue by port, trade lane, carrier, cargo type or free text. Returns IDs, public data, the periods on sale with prices, and whether the account has access to each route's data.",
    from: allRoutes,
    defaults: { limit: 10 },
  }),
  tool({
    name: "get_route_data",
    title: "Read route data",
    description:
      "Returns the data of a subscribed route: departures, transit times, rates, surcharges, capacity, and a page of its reports, newest first. Without an active subscription it fails with forbidden.",
    from: routesData,
    defaults: { limit: 20 },
  }),
  tool({
    name: "list_schedules",
    title: "List sailings",
    description: "Returns the departures of subscribed routes, with legs, cut-offs and transhipments.",
    from: schedules,
    defaults: { limit: 20 },
  }),
  tool({
    name: "list_changes",
    title: "List changes",
    description:
      "Returns the changes in the data of subscribed routes since a time or a cursor, oldest first: new reports, rates, capacity, schedules. While has_more is true, continue with next_cursor as since.",
    from: changes,
    defaults: { limit: 20 },
  }),
  tool({
    name: "compare_routes",
    title: "Compare routes",
    description:
      "Compares all carriers between two ports: all-in rates by container type and compared with the median of the trade lane, transit time, departures, on-time performance and space available. Routes without a subscription have public data only.",
    from: compare,
  }),
  tool({
    name: "check_access",
    title: "Check access",
    description:
      "Returns whether the account has access to the data of a route (route_id) or several (route_ids), why, and until when.",
    from: checkAccess,
  }),
  tool({
    name: "list_subscriptions",
    title: "List subscriptions",
    description: "Returns the account's subscriptions with status, end date and renewal.",
    from: myRoutes,
  }),
  tool({
    name: "quote_prices",
    title: "Quote prices",
    description:
      "Calculates the price of subscriptions to periods, with discounts and tax. Get each period_id from search_routes. Does not buy or reserve anything.",
    from: calculatePrice,
  }),
];

export const action = apiRoute(serveMcp(tools));
export { action as loader };
