/**
 * Messages that outlive a redirect: a cookie carries them to the page that follows, whose root loader takes them out.
 * What belongs to a form (a refusal, a secret shown once) stays in the form instead.
 */
import { redirect } from "@remix-run/node";
import { portalCookie } from "./cookie.server.ts";
import { type Toast, toast } from "./toast.ts";

const toastCookie = () => portalCookie("srds_toast", { maxAge: 60 });

/** Throw it from a form's work once the work is done. */
export const redirectWithToast = async (
  to: string,
  message: Toast,
  { headers }: { headers?: HeadersInit } = {},
): Promise<Response> => {
  const all = new Headers(headers);
  all.append("Set-Cookie", await (await toastCookie()).serialize(message));
  return redirect(to, { headers: all });
};

/** The message waiting for this page, and the header that takes it out. Pages fetched in advance leave it. */
export const takeToast = async (request: Request): Promise<{ toast?: Toast; headers: HeadersInit }> => {
  const cookie = await toastCookie();
  const value: unknown = isAhead(request) ? null : await cookie.parse(request.headers.get("Cookie"));
  if (value === null) return { headers: {} };
  const parsed = toast.safeParse(value);
  const headers = { "Set-Cookie": await cookie.serialize("", { maxAge: 0 }) };
  return parsed.success ? { toast: parsed.data, headers } : { headers };
};

const isAhead = ({ headers }: Request): boolean =>
  [headers.get("Sec-Purpose"), headers.get("Purpose")].some((purpose) => purpose?.includes("prefetch"));
