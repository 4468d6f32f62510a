/** HTTP/1.1 over a plain socket, for requests that no client library sends. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type RawAnswer = { status: number; headers: Headers; body: string };

/**
 * Sends the bytes on a new connection, and reads one response.
 *
 * @param options.body sent after the head, as fast as the server reads it
 * @param options.untilAnswered stop sending once the response is complete; otherwise read only after sending everything
 * @throws Error when the connection ends or is reset before the response is complete
 */
export const exchange = async (
  base: string,
  head: string,
  options: { body?: Iterable<Uint8Array | string>; untilAnswered?: boolean } = {},
): Promise<RawAnswer> => {
  const { hostname, port } = new URL(base);
  // The client continues to send after the server has ended its side.
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const failed = new Promise<never>((_, reject) => socket.once("error", reject));
  failed.catch(() => {});
  try {
    const reading = options.untilAnswered ? readAnswer(socket, head) : null;
    let isAnswered = false;
    const answered = reading?.finally(() => {
      isAnswered = true;
    });
    answered?.catch(() => {});
    socket.write(head);
    for (const piece of options.body ?? []) {
      if (isAnswered) break;
      if (!socket.write(piece)) await Promise.race([once(socket, "drain"), failed, ...(answered ? [answered] : [])]);
    }
    return await (reading ?? readAnswer(socket, head));
  } finally {
    socket.destroy();
  }
};

const unchunked = (text: string): string => {
  const [, size = "0", rest = ""] = /^([\da-f]+)\r\n(.*)$/is.exec(text) ?? [];
  const length = Number.parseInt(size, 16);
  return length === 0 ? "" : rest.slice(0, length) + unchunked(rest.slice(length + 2));
};

/** Reads the first response that is not interim (1xx). */
const readAnswer = (socket: Socket, head: string): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const withoutBody = head.startsWith("HEAD ");
    let received = Buffer.alloc(0);
    const parse = (hasEnded: boolean): RawAnswer | null => {
      const text = received.toString("latin1").replace(/^HTTP\/1\.1 1\d\d .*?\r\n\r\n/s, "");
      const end = text.indexOf("\r\n\r\n");
      if (end === -1) return null;
      const [line = "", ...fields] = text.slice(0, end).split("\r\n");
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1]);
      const headers = new Headers(
        fields.map((field): [string, string] => {
          const colon = field.indexOf(":");
          return [field.slice(0, colon), field.slice(colon + 1).trim()];
        }),
      );
      const body = text.slice(end + 4);
      const length = headers.get("content-length");
      const isChunked = headers.get("transfer-encoding") === "chunked";
      const isComplete =
        withoutBody ||
        status === 204 ||
        status === 304 ||
        (length !== null ? body.length >= Number(length) : isChunked ? body.endsWith("0\r\n\r\n") : hasEnded);
      return isComplete ? { status, headers, body: isChunked ? unchunked(body) : body } : null;
    };
    const look = (hasEnded: boolean) => {
      const answer = parse(hasEnded);
      if (answer) resolve(answer);
      else if (hasEnded) reject(new Error(`No complete answer: ${JSON.stringify(received.toString("latin1"))}`));
    };
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      look(false);
    });
    socket.on("end", () => look(true));
    socket.on("error", (error) => {
      const answer = parse(false);
      if (answer) resolve(answer);
      else reject(error);
    });
  });
