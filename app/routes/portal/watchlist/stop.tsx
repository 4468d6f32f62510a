import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { getContext } from "#app/context.server.ts";
import { readStopLink, stopByLink } from "#app/domain/alerts/stop-link.server.ts";
import { watchName } from "#app/domain/alerts/watch.ts";
import { summariesOf } from "#app/domain/catalogue/browse.server.ts";
import { bodyUpTo } from "#app/platform/request-body.server.ts";
import { noteOwnPage } from "#app/portal/cache-control.server.ts";
import { AuthPage } from "#app/portal/components/auth-page.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { longestFormBytes } from "#app/portal/form-action.server.ts";

export const meta: MetaFunction = () => [{ title: "Stop alerts · Shipping Route Data Service" }];

const unknownLink = () => new Response("No such link", { status: 404 });

/** Changes nothing: programs that check mail for harmful links open them. */
export const loader = async ({ params, context }: LoaderFunctionArgs) => {
  noteOwnPage(context);
  const ctx = await getContext();
  const stop = await readStopLink(ctx, params.token ?? "");
  if (!stop) throw unknownLink();
  const { scope, watch, isStopped } = stop;
  const routeId = watch && "routeId" in watch.target ? watch.target.routeId : null;
  const [route] = routeId === null ? [] : await summariesOf(ctx, [routeId]);
  return { scope, isStopped, title: watch && watchName(watch, route ?? null) };
};

/**
 * The button of the page, and the POST of mail programs (RFC 8058), which come from other sites, without cookies. The
 * token alone decides what is stopped, so there is nothing for another site to forge.
 */
export const action = async ({ params, request }: ActionFunctionArgs) => {
  if (!(await bodyUpTo(longestFormBytes, request))) throw new Response("The form is too long", { status: 413 });
  if (!(await stopByLink(await getContext(), params.token ?? ""))) throw unknownLink();
  return null;
};

const Stop = () => {
  const { scope, isStopped, title } = useLoaderData<typeof loader>();
  const what = scope === "mail" ? "alert e-mails" : (title ?? "this route");
  return (
    <AuthPage
      title={isStopped ? "Stopped" : scope === "mail" ? "Stop alert e-mails?" : `Stop watching ${what}?`}
      lead={
        isStopped
          ? scope === "mail"
            ? "You will get no more alerts by e-mail. You still see them on your watchlist."
            : "It is no longer on your watchlist, and you get no more alerts about it."
          : scope === "mail"
            ? "Your watchlist does not change. You still see its alerts there."
            : "This removes it from your watchlist, with its alert rules."
      }
      aside={
        <>
          Changed your mind? <Link to="/watchlist">Open your watchlist</Link>
        </>
      }
    >
      {isStopped ? (
        <p role="status" className="text-sm">
          Done. You can close this page.
        </p>
      ) : (
        <Form method="post" className="grid">
          <SubmitButton pendingLabel="Stopping…">{scope === "mail" ? "Stop e-mails" : "Stop watching"}</SubmitButton>
        </Form>
      )}
    </AuthPage>
  );
};

export default Stop;
