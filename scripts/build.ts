/** Builds unless the build was made from the present sources. */
import { build, fail } from "./prepare.mjs";

await build().catch((error) => fail(error instanceof Error ? error.message : String(error)));
