/** Makes the links and executable bits of PostgreSQL's binaries, for a folder that is read-only when the service runs. */
import { nativeFolder } from "./binaries.ts";

process.stdout.write(`${nativeFolder()}\n`);
