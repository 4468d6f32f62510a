/** File downloads for a signed-in account. */
import { redirect } from "@remix-run/node";
import { asLongWork } from "../platform/time-budget.server.ts";
import { refusalAsResponse } from "./error-response.server.ts";
import { type Incoming, type Member, visit } from "./session.server.ts";

/** Visitors sign in first, and then get the page with the file's link: a redirect to a download would show no page. */
export const visitForFile = async (incoming: Incoming, page: string): Promise<Member> => {
  const { caller, ...rest } = await visit(incoming);
  if (!caller) throw redirect(`/sign-in?${new URLSearchParams({ next: page })}`);
  return { ...rest, caller };
};

/** Sent as an attachment, and not cached. */
export const fileResponse = (
  body: string | ReadableStream<Uint8Array>,
  { name, type }: { name: string; type: string },
): Response =>
  new Response(body, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });

/**
 * Streams a file. The first part is awaited, so that a refusal becomes an error response and not a broken file. The rest
 * runs as long work, as it may take longer than the database budget of a request.
 */
export const streamOf = async (parts: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> => {
  const encoder = new TextEncoder();
  let next = await parts.next();
  return new ReadableStream({
    pull: async (controller) => {
      if (next.done) {
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(next.value));
      next = await asLongWork(() => parts.next());
    },
    cancel: async () => {
      await parts.return(undefined);
    },
  });
};

/** A file name made of a code: `C-CNSHA-NLRTM-PEL9_2026-Q4.csv`. */
export const fileName = (code: string, extension: string): string => `${code.replace(/[^\w.-]+/g, "_")}.${extension}`;

/** Turns refusals (forbidden, not found, invalid filters) into an error response. */
export const orNoFile = <T>(work: Promise<T>): Promise<T> =>
  refusalAsResponse(work, ["forbidden", "not_found", "invalid"]);
