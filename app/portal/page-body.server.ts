import { Writable } from "node:stream";

/**
 * The body of a page that is being rendered. React writes it in pieces of 4 KB, and the server compresses and flushes each
 * piece by itself, so what React writes in one turn of the event loop becomes one piece.
 *
 * @returns `sink`, which React writes to and which closes when the page is complete or has failed
 */
export const pageBody = (): { sink: Writable; body: ReadableStream<Uint8Array> } => {
  let pieces: Uint8Array[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const send = () => {
    if (pieces.length > 0) controller.enqueue(Buffer.concat(pieces));
    pieces = [];
  };
  const body = new ReadableStream<Uint8Array>({
    start: (started) => {
      controller = started;
    },
    cancel: () => {
      pieces = [];
      sink.destroy();
    },
  });
  const sink = new Writable({
    write: (piece: Uint8Array, _, done) => {
      if (pieces.push(piece) === 1) setImmediate(send);
      done();
    },
    final: (done) => {
      send();
      controller.close();
      done();
    },
    destroy: (error, done) => {
      pieces = [];
      if (error) controller.error(error);
      done(error);
    },
  });
  return { sink, body };
};
