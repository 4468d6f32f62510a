/** File downloads. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { byteOrderMark } from "../domain/exports/table-csv.ts";
import { asLongParts, byteStream, drainedOf, type Parts } from "../platform/byte-stream.server.ts";
import { refusalAsResponse } from "./error-response.server.ts";
import { type Incoming, type Member, toSignIn, visit } from "./session.server.ts";

/** Visitors sign in first, and then get the page with the file's link: a redirect to a download would show no page. */
export const visitForFile = async (incoming: Incoming, page: string): Promise<Member> => {
  const { caller, ...rest } = await visit(incoming);
  if (!caller) throw toSignIn(page);
  return { ...rest, caller };
};

export const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Sent as an attachment, and not cached. */
export const fileResponse = (
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { name, type }: { name: string; type: string },
): Response =>
  new Response(body, {
    headers: {
      "Content-Type": /^text\/|json$|xml$/.test(type) ? `${type}; charset=utf-8` : type,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "private, no-store",
    },
  });

/** A CSV file. Every one that people download begins with the mark that makes Excel read it as UTF-8. */
export const csvResponse = (text: string, name: string): Response =>
  fileResponse(byteOrderMark + text, { name, type: "text/csv" });

/** A CSV file that is streamed, with the mark. */
export const csvStreamResponse = async (
  parts: AsyncIterable<string>,
  name: string,
  args: Pick<LoaderFunctionArgs, "request" | "context">,
): Promise<Response> => fileResponse(await streamOf(afterByteOrderMark(parts), args), { name, type: "text/csv" });

/** The mark is in the first part, as that one is awaited. */
async function* afterByteOrderMark(parts: AsyncIterable<string>): Parts {
  let mark = byteOrderMark;
  for await (const part of parts) {
    yield mark + part;
    mark = "";
  }
  if (mark !== "") yield mark;
}

/** Streams a file. The first part is awaited, so that a refusal becomes an error response and not a broken file. */
export const streamOf = async (
  parts: Parts,
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
): Promise<ReadableStream<Uint8Array>> => {
  const first = await parts.next();
  return byteStream(asLongParts(beginning(first, parts)), { signal: request.signal, drained: drainedOf(context) });
};

async function* beginning(first: IteratorResult<string | Uint8Array, void>, rest: Parts): Parts {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** A file name made of a code: `C-CNSHA-NLRTM-PEL9_2026-Q4.csv`. */
export const fileName = (code: string, extension: string): string => `${code.replace(/[^\w.-]+/g, "_")}.${extension}`;

/** Turns refusals (forbidden, not found, invalid filters) into an error response. */
export const orNoFile = <T>(work: Promise<T>): Promise<T> =>
  refusalAsResponse(work, ["forbidden", "not_found", "invalid"]);
