import { type ActionFunctionArgs, data, redirect } from "@remix-run/node";
import { z } from "zod";
import { getContext } from "../../context.server.ts";
import { formAction, openForm } from "../../portal/form-action.server.ts";
import { saveSingleKeys } from "../../portal/shortcuts.server.ts";

const choice = z.object({ single_keys: z.enum(["on", "off"]) });

/** Saves the switch of the shortcuts dialog. Returns data instead of redirecting, so that the page stays. */
export const action = async (args: ActionFunctionArgs) => {
  const answer = await formAction({ set: openForm(choice, async (_, input) => input.single_keys) })(args);
  if (!("result" in answer) || answer.result === null) return answer;
  const { settings } = await getContext();
  return data(answer, { headers: { "Set-Cookie": await saveSingleKeys(answer.result === "on", settings) } });
};

export const loader = () => redirect("/");
