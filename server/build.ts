import fs from "node:fs";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/node";
import type * as entry from "#app/entry.server.tsx";
import { pathInCheckout } from "./checkout.ts";
import { Trouble } from "./trouble.ts";

/** What `npm run build` has made, with everything that `app/entry.server.tsx` exports. */
export type Build = ServerBuild & { entry: { module: typeof entry } };

/** @throws Trouble if there is no build */
export const loadBuild = async (): Promise<Build> => {
  const file = pathInCheckout("build", "server", "index.js");
  if (!fs.existsSync(file))
    throw new Trouble('There is no build: run "npm run build" first, or "npm start", which does.');
  return import(pathToFileURL(file).href);
};
