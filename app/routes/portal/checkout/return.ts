import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Refusal } from "../../../domain/errors.ts";
import { orderOf } from "../../../domain/payments/orders.server.ts";
import { confirmPayment } from "../../../domain/subscriptions/settle.server.ts";
import { basketAfter } from "../../../portal/basket.server.ts";
import { found } from "../../../portal/found.server.ts";
import { idOf } from "../../../portal/params.ts";
import { visitOfMember } from "../../../portal/session.server.ts";

/** Where the bank, or Stripe, sends the browser back to. What has happened is asked of the payment provider. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const id = idOf(args.params.order_id);
  const order = await orderOf(ctx, caller.account.id, id);
  if (!order?.paymentIntentId) throw new Response("No such order", { status: 404 });
  try {
    await found(confirmPayment(ctx, caller, { paymentIntentId: order.paymentIntentId }));
  } catch (error) {
    if (error instanceof Refusal && error.code === "conflict") throw redirect(`/checkout/${id}?failed`);
    throw error;
  }
  throw redirect(`/checkout/${id}/done`, { headers: await basketAfter(args.request, order) });
};
