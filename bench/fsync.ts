/** How long the disk takes to make a write durable: the floor of every commit. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { type Spread, spreadOf } from "./results.ts";

const writes = 200;
/** A page of PostgreSQL's log. */
const page = Buffer.alloc(8192, 1);

/** In milliseconds, of a file in `folder`, appended to as PostgreSQL appends to its log. */
export const measureFsync = (folder: string): Spread => {
  const file = path.join(folder, "fsync");
  const descriptor = openSync(file, "w");
  try {
    return spreadOf(
      Array.from({ length: writes }, () => {
        writeSync(descriptor, page);
        const startedAt = performance.now();
        fdatasyncSync(descriptor);
        return performance.now() - startedAt;
      }),
    );
  } finally {
    closeSync(descriptor);
    rmSync(file);
  }
};
