import type { Config } from "#app/platform/env.server.ts";
import type { SeededDemo } from "#drizzle/seed/demo-identity.ts";

/** The startup summary: the address, what is simulated, and a sample request. */
export const announcement = (
  { appUrl, testMode }: Pick<Config, "appUrl" | "testMode">,
  address: string,
  demo: SeededDemo | null,
  serviceLines: string[],
): string[] => {
  const site = appUrl.includes("//localhost") ? address : appUrl;
  return [
    "",
    `Shipping Route Data Service  ${site}${site === address ? "" : `  (listening on ${address})`}`,
    `Test mode ${testMode ? "on: no card is charged." : "off: payments are real."}`,
    ...serviceLines,
    ...(demo ? demoLines(demo, address) : []),
    "Ready. Ctrl-C stops.",
  ];
};

const demoLines = ({ demoApiKey, demoUsername, demoRouteId }: SeededDemo, address: string): string[] => [
  "Demo login  demo@example.com / demo-harbour-2026",
  "Operator    operator@example.com / demo-bridge-2026, at /operations",
  `Try         curl -H 'X-API-Key: ${demoApiKey}' -H 'X-Username: ${demoUsername}' '${address}/api/api-routes-data?id=${demoRouteId}'`,
];
