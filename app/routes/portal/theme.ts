import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { z } from "zod";
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { previousPage } from "../../portal/previous-page.server.ts";
import { saveTheme, theme } from "../../portal/theme.server.ts";

/** Saves the theme chosen in the footer or in the profile. The page stays. */
export const action = (args: ActionFunctionArgs) =>
  formAction({
    theme: openForm(z.object({ theme }), async (_, input) => {
      const headers = { "Set-Cookie": await saveTheme(input.theme) };
      throw redirect(previousPage(args.request), { headers });
    }),
  })(args);

export const loader = () => redirect("/");
