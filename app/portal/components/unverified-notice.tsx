import { useFetcher, useLocation } from "@remix-run/react";
import { Icon } from "./icon.tsx";

/** What the form of the profile returns: what was done, or why not. */
type Sent = { result: { message: string } | null; problem: { message: string } | null };

/**
 * Shown until the account's e-mail address is confirmed, except on pages that say so themselves. A new link is sent from
 * the page that is open; without scripts, from the profile.
 */
export const UnverifiedNotice = ({ email }: { email: string }) => {
  const { pathname } = useLocation();
  const { Form, data, state } = useFetcher<Sent>();
  if (pathname === "/account" || pathname === "/verify-email") return null;
  return (
    <aside
      aria-label="E-mail address"
      className="no-print border-accent-line border-b bg-accent-soft text-accent text-sm"
    >
      <div className="mx-auto flex w-full max-w-[76rem] flex-wrap items-center gap-x-2 gap-y-1 px-4 py-1.5 sm:px-6 lg:px-8">
        <Icon name="mail" className="size-4" />
        <p role="status" className="min-w-0 flex-1 max-sm:text-[0.8125rem] max-sm:leading-5">
          {data?.result?.message ?? data?.problem?.message ?? (
            <>
              <span className="font-semibold max-sm:block">Confirm your e-mail address</span>
              <span className="max-sm:hidden">: open the link that we sent to </span>
              <span className="wrap-anywhere max-sm:block max-sm:truncate">{email}</span>
              <span className="max-sm:hidden">.</span>
            </>
          )}
        </p>
        <Form method="post" action="/account?index">
          <button
            type="submit"
            name="intent"
            value="verify"
            aria-disabled={state !== "idle" || undefined}
            className="min-h-7 rounded font-medium underline underline-offset-3 hover:decoration-2"
          >
            Send again
          </button>
        </Form>
      </div>
    </aside>
  );
};
