import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Refusal } from "#app/domain/errors.ts";
import { finishCardSetup } from "#app/domain/payments/cards.server.ts";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { cardSavedInWords } from "./card-return-url.ts";

/** Return URL for the bank and Stripe. Asks the payment provider whether the card was saved. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const params = new URL(args.request.url).searchParams;
  const input = { setupId: params.get("setup_intent") ?? "", makesDefault: params.get("for_renewals") === "on" };
  const card = await orErrorResponse(finishCardSetup(ctx, caller, input)).catch((error) => {
    if (error instanceof Refusal && error.code === "conflict") throw redirect("/billing/cards/new?failed");
    throw error;
  });
  // On a repeated visit, keep what the account has changed about its cards since.
  if (!card.isNew) throw redirect("/billing/cards");
  throw await redirectWithToast("/billing/cards", { message: cardSavedInWords(card) });
};
