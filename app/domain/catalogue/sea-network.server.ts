/** The sea network that comes with the service. */
import { type ApproachesFile, type SeaNetwork, type SeaNetworkFile, seaNetworkOf } from "./sea-network.ts";
import { type Searoute, searoutes } from "./searoutes.ts";

/** Read when it is first needed, and once in a process: it never changes. */
export const seaNetwork = (): Promise<SeaNetwork> => {
  network ??= readNetwork();
  return network;
};

let network: Promise<SeaNetwork> | null = null;

const readNetwork = async (): Promise<SeaNetwork> => {
  const [file, approaches] = await Promise.all([
    import("./sea-network-data/sea_network.json"),
    import("./sea-network-data/port_approaches.json"),
  ]);
  return seaNetworkOf(file.default as unknown as SeaNetworkFile, approaches.default as unknown as ApproachesFile);
};

/** As `searoutes`. The port pairs that were asked for last are kept. */
export const searoutesBetween = async (origin: string, destination: string): Promise<readonly Searoute[]> => {
  const pair = `${origin} ${destination}`;
  const routes = recent.get(pair) ?? searoutes(await seaNetwork(), origin, destination);
  recent.delete(pair);
  recent.set(pair, routes);
  const [oldest] = recent.keys();
  if (recent.size > pairsKept && oldest !== undefined) recent.delete(oldest);
  return routes;
};

/** A few megabytes. */
const pairsKept = 500;
const recent = new Map<string, readonly Searoute[]>();
