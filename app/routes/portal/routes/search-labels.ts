/** What the parts of a search are called. */
import type { FacetName } from "#app/domain/catalogue/search.ts";
import { formatWord } from "#app/portal/format.ts";
import type { PortName } from "./search-ports.server.ts";

export const facetLabels = {
  cargo_type: "Cargo type",
  region: "Region of origin",
  trade_lane: "Trade lane",
  route_group: "Route group",
  carrier: "Carrier",
  service_level: "Service level",
  freshness: "Freshness",
} as const satisfies Record<FacetName, string>;

export const portLabels = { origin: "From", destination: "To", port: "Port" } as const satisfies Record<
  PortName,
  string
>;

export const orders = [
  { value: "name", label: "Name" },
  { value: "transit", label: "Transit time" },
  { value: "distance", label: "Distance" },
  { value: "price", label: "Price" },
  { value: "sailings", label: "Sailings per week" },
];

const labels: Readonly<Record<string, string>> = { ...facetLabels, ...portLabels, q: "Search", sort: "Sort by" };

/** A query of `searchQuery` in words, with codes: "From: CNSHA, Carrier: ALD or PEL". */
export const queryInWords = (query: string): string => {
  const params = new URLSearchParams(query);
  return [...new Set(params.keys())]
    .map((name) => `${labels[name] ?? name}: ${params.getAll(name).map(wordFor(name)).join(" or ")}`)
    .join(", ");
};

const wordFor = (name: string) => (value: string) => {
  if (name === "q") return `“${value}”`;
  if (name === "sort") return orders.find((order) => order.value === value)?.label ?? formatWord(value);
  return formatWord(value);
};
