import { safePath } from "./session.server.ts";

/**
 * The page on which a form in the frame of every page was sent, so that the reader stays on it; the home page if the browser
 * does not say. Only for forms that `formAction` has accepted: it rejects those of other sites.
 */
export const previousPage = ({ headers }: Request): string => {
  const referrer = headers.get("Referer");
  if (referrer === null || !URL.canParse(referrer)) return safePath(null);
  const { pathname, search } = new URL(referrer);
  return safePath(pathname + search);
};
