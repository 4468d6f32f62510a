/** Who the demo is. */
import { createHash } from "node:crypto";
import { writeSecret } from "#app/domain/api-keys/secret.ts";

/** What the start tells the operator about the demo. */
export type SeededDemo = { demoApiKey: string; demoUsername: string; demoRouteId: number };

export const demo = { email: "demo@example.com", username: "demo", password: "demo-harbour-2026" };
/** Its password is public, like that of the demo account. */
export const demoOperator = { email: "operator@example.com", username: "operator", password: "demo-bridge-2026" };

/** Public, like the passwords. The demo is seeded in test mode only. */
export const demoKeyBytes: Uint8Array = createHash("sha256").update("the demo's API key").digest();
export const demoApiKey = writeSecret(demoKeyBytes);

/** The demo account's longest subscription. */
export const featuredRouteCode = "C-CNSHA-NLRTM-PEL9";
