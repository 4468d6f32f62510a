// Threads do not inherit the loader of the main thread.
import { register } from "tsx/esm/api";

register();
await import("./workbook-thread.ts");
