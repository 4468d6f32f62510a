/** Files of an account, by the portal's cookie. */
import { redirect } from "@remix-run/node";
import { asLongWork } from "../platform/time-budget.server.ts";
import { refusalAsResponse } from "./error-response.server.ts";
import { type Incoming, type Member, visit } from "./session.server.ts";

/** Whoever is not signed in is sent to do so, and then to the page with the file's link: files cannot be gone to. */
export const visitForFile = async (incoming: Incoming, page: string): Promise<Member> => {
  const { caller, ...rest } = await visit(incoming);
  if (!caller) throw redirect(`/sign-in?${new URLSearchParams({ next: page })}`);
  return { ...rest, caller };
};

/** Saved under its name rather than shown, and kept by no cache. */
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
 * A file that is written while it is sent. The first part is awaited, so that a refusal is an answer of its own and no
 * broken file. The rest may take longer than a request waits for the database in all.
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

/** `C-CNSHA-NLRTM-PEL9_2026-Q4.csv`: codes as a file's name. */
export const fileName = (code: string, extension: string): string => `${code.replace(/[^\w.-]+/g, "_")}.${extension}`;

/** What the account may not read, what does not exist and what cannot be asked for is not a file. */
export const orNoFile = <T>(work: Promise<T>): Promise<T> =>
  refusalAsResponse(work, ["forbidden", "not_found", "invalid"]);
