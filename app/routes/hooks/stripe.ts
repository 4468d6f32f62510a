import type { ActionFunctionArgs } from "@remix-run/node";
import { getContext } from "../../context.server.ts";
import { failureOf } from "../../domain/failure.ts";
import { handlePaymentEvent } from "../../domain/subscriptions/payment-events.server.ts";
import { statusOf } from "../../platform/refusal-status.ts";
import { bodyUpTo } from "../../platform/request-body.server.ts";

/** Many times the longest event. */
const longestEventBytes = 1024 * 1024;

/** Stripe's webhook. Anything but 2xx makes Stripe send the event again. @spec Events */
export const action = async ({ request }: ActionFunctionArgs): Promise<Response> => {
  const ctx = await getContext();
  try {
    const body = await bodyUpTo(longestEventBytes, request);
    if (!body)
      return Response.json({ success: false, message: "No event is that long" }, { status: statusOf.too_large });
    await handlePaymentEvent(ctx, {
      rawBody: new TextDecoder().decode(body),
      signature: request.headers.get("stripe-signature") ?? "",
    });
    return Response.json({ received: true });
  } catch (error) {
    const { kind, refusal } = failureOf(error);
    if (kind === "client_gone") return new Response(null, { status: statusOf.malformed });
    if (refusal?.code === "malformed") {
      return Response.json({ success: false, message: refusal.message }, { status: statusOf.malformed });
    }
    ctx.log.error("A payment event was not handled", { failure: kind }, error);
    const headers = { "Retry-After": String(refusal?.retryAfterSeconds ?? 60) };
    return Response.json(
      { success: false, message: "Not handled; send it again" },
      { status: statusOf.unavailable, headers },
    );
  }
};

export const loader = (): Response =>
  Response.json(
    { success: false, message: "Use POST" },
    { status: statusOf.method_not_allowed, headers: { Allow: "POST" } },
  );
