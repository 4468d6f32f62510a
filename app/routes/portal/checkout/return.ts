import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Refusal } from "#app/domain/errors.ts";
import { orderOf } from "#app/domain/payments/orders.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { basketAfter } from "#app/portal/basket.server.ts";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfMember } from "#app/portal/session.server.ts";

/** Return URL for the bank and Stripe. Asks the payment provider for the outcome. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const id = idOf(args.params.order_id);
  const order = await orderOf(ctx, caller.account.id, id);
  if (!order?.paymentIntentId) throw new Response("No such order", { status: 404 });
  try {
    await orErrorResponse(confirmPayment(ctx, caller, { paymentIntentId: order.paymentIntentId }));
  } catch (error) {
    if (error instanceof Refusal && error.code === "conflict") throw redirect(`/checkout/${id}?failed`);
    throw error;
  }
  throw redirect(`/checkout/${id}/done`, { headers: await basketAfter(args.request, order) });
};
