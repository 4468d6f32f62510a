import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { recordCardChoice } from "#app/domain/payments/pay-order.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { idOf } from "#app/portal/params.ts";
import { cardChoice } from "./card-choice.ts";

/** Records whether a new card becomes the one for renewals, before Stripe's form confirms the payment in the browser. */
export const action = async (args: ActionFunctionArgs) => {
  const answer = await formAction<null>({
    choose: memberForm(cardChoice, async ({ ctx, caller, params }, { makesDefault }) => {
      await recordCardChoice(ctx, caller, { orderId: idOf(params.order_id), makesDefault });
      return null;
    }),
  })(args);
  // Remix drops the status of `data` in a route without a page.
  return "result" in answer ? answer : Response.json(answer.data, answer.init ?? undefined);
};

export const loader = ({ params }: LoaderFunctionArgs) => redirect(`/checkout/${idOf(params.order_id)}`);
