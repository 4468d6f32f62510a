import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { z } from "zod";
import { closeSession } from "../../domain/accounts/session.server.ts";
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { previousPage } from "../../portal/previous-page.server.ts";
import { signedOut } from "../../portal/session.server.ts";
import { redirectWithToast } from "../../portal/toast.server.ts";

export const action = (args: ActionFunctionArgs) =>
  formAction({
    "sign-out": openForm(z.object({}), async ({ ctx, caller }) => {
      if (caller) await closeSession(ctx, caller);
      const page = previousPage(args.request);
      throw await redirectWithToast(
        openToVisitors.test(page) ? page : "/",
        { message: "You are signed out." },
        {
          headers: (await signedOut()).headers,
        },
      );
    }),
  })(args);

/** The pages on which one stays. Every other page leads to the home page. */
const openToVisitors = /^\/(routes|regions|trade-lanes|route-groups|compare|docs|status|terms|privacy)(?=[/?]|$)/;

export const loader = () => redirect("/");
