/** Builds unless the build is up to date. */
import { build, fail } from "./prepare.mjs";

await build().catch((error) => fail(error instanceof Error ? error.message : String(error)));
