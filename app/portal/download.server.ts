/** Files of an account, by the portal's cookie. */
import { redirect } from "@remix-run/node";
import { type Incoming, type Member, visit } from "./session.server.ts";

/** Whoever is not signed in is sent to do so, and then to the page with the file's link: files cannot be gone to. */
export const visitForFile = async (incoming: Incoming, page: string): Promise<Member> => {
  const { caller, ...rest } = await visit(incoming);
  if (!caller) throw redirect(`/sign-in?${new URLSearchParams({ next: page })}`);
  return { ...rest, caller };
};

/** Saved under its name rather than shown, and kept by no cache. */
export const fileResponse = (body: string, { name, type }: { name: string; type: string }): Response =>
  new Response(body, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
