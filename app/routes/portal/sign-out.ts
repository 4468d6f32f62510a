import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { z } from "zod";
import { closeSession } from "../../domain/accounts/session.server.ts";
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { signedOut } from "../../portal/session.server.ts";

export const action = (args: ActionFunctionArgs) =>
  formAction({
    "sign-out": openForm(z.object({}), async ({ ctx, caller }) => {
      if (caller) await closeSession(ctx, caller);
      throw await signedOut();
    }),
  })(args);

export const loader = () => redirect("/");
