import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Relative paths are below the checkout, whatever folder the service was started in. */
export const pathInCheckout = (...names: string[]): string => path.resolve(root, ...names);
