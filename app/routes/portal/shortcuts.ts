import { type ActionFunctionArgs, data, redirect } from "@remix-run/node";
import { z } from "zod";
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { saveSingleKeys } from "../../portal/shortcuts.server.ts";

const choice = z.object({ single_keys: z.enum(["on", "off"]) });

/** Saves the switch of the shortcuts dialog. Returns data instead of redirecting, so that the page stays. */
export const action = async (args: ActionFunctionArgs) => {
  const result = await formAction({ set: openForm(choice, async (_, input) => input.single_keys) })(args);
  if (!("result" in result) || result.result === null) return result;
  return data(result, { headers: { "Set-Cookie": await saveSingleKeys(result.result === "on") } });
};

export const loader = () => redirect("/");
