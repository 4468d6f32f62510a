/** The thread that `read-file.server.ts` starts: reads a file from its standard input, and posts portions, then null. */
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import type { FileFormat } from "./file.ts";
import { portionsOf, type ReadingWorld } from "./portions.ts";

/** What the thread is given. */
export type ReadingTask = { format: FileFormat; world: ReadingWorld };

const { format, world } = workerData as ReadingTask;
if (!parentPort) throw new Error("This module runs in a thread");

let accepted: Promise<unknown> = Promise.resolve();
for await (const portion of portionsOf(format, process.stdin, world)) {
  // One portion is read while the previous one is written. A slow database thus slows the upload, and memory stays flat.
  await accepted;
  accepted = once(parentPort, "message");
  parentPort.postMessage(portion, [portion.lines.buffer]);
}
parentPort.postMessage(null);
