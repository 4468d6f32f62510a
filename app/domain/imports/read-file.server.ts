/**
 * Reads a file while it arrives. A large one is read in its own thread: parsing takes seconds of CPU time, in which the
 * process would serve no requests. The thread's heap is limited, so its memory does not grow with the file.
 */
import { on } from "node:events";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { FileFormat, OpenFile } from "./file.ts";
import { type Portion, portionsOf, type ReadingWorld } from "./portions.ts";
import type { ReadingTask } from "./reading-thread.ts";

/** Starting a thread takes longer than parsing this. */
const smallFileBytes = 1024 * 1024;

const threadMegabytes = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 32 };

/** In the source folder, whether this module is bundled or not. */
const program = createRequire(import.meta.url).resolve("#app/domain/imports/start-reading-thread.mjs");

/** Stops reading when the consumer does. @throws what the upload throws */
export async function* readFile({ format, content }: OpenFile, world: ReadingWorld): AsyncGenerator<Portion> {
  while (content.bytesRead < smallFileBytes) {
    if ((await content.readOn()) === null) {
      yield* portionsOf(format, withPauses(content.whole()), world);
      return;
    }
  }
  yield* portionsFromThread(format, content.whole(), world);
}

/** Requests are served between the chunks. */
async function* withPauses(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    await pause();
  }
}

async function* portionsFromThread(
  format: FileFormat,
  chunks: AsyncIterable<Uint8Array>,
  world: ReadingWorld,
): AsyncGenerator<Portion> {
  const task: ReadingTask = { format, world };
  const thread = new Worker(program, { workerData: task, stdin: true, resourceLimits: threadMegabytes });
  const stopped = new AbortController();
  const upload = new AbortController();
  pipeline(Readable.from(chunks), thread.stdin as NodeJS.WritableStream, { signal: stopped.signal }).catch(
    (error: unknown) => upload.abort(error),
  );
  try {
    for await (const [portion] of on(thread, "message", { signal: upload.signal, close: ["exit"] })) {
      if (portion === null) return;
      thread.postMessage("accepted");
      yield portion as Portion;
    }
    throw new Error("The thread that reads a file ended before it");
  } catch (error) {
    throw upload.signal.aborted ? upload.signal.reason : error;
  } finally {
    stopped.abort();
    await thread.terminate();
  }
}
