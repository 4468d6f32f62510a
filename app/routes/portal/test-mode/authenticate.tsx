import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { getTestService } from "#app/context.server.ts";
import { Refusal } from "#app/domain/errors.ts";
import { Button } from "#app/portal/components/button.tsx";
import { formAction, openForm } from "#app/portal/form-action.server.ts";
import { formatMoney, formatWord } from "#app/portal/format.ts";
import { codeOf } from "#app/portal/params.ts";
import { ownPathOf } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Your bank (test) · Shipping Route Data Service" }];

const inTestMode = async (request: Request) => {
  const service = await getTestService(request);
  if (!service) throw new Response("Not found", { status: 404 });
  return { config: service.config, simulator: service.testMode.simulator };
};

export const loader = async ({ params, request }: LoaderFunctionArgs) => {
  const { simulator } = await inTestMode(request);
  const clientSecret = new URL(request.url).searchParams.get("client_secret") ?? "";
  try {
    return { ...(await simulator.pendingAuthentication(codeOf(params.intent_id), clientSecret)), clientSecret };
  } catch (error) {
    if (error instanceof Refusal) throw new Response("Nothing to authenticate", { status: 404 });
    throw error;
  }
};

const answer = z.object({ client_secret: z.string(), answer: z.enum(["approve", "refuse"]) });

export const action = async (args: ActionFunctionArgs) => {
  const { config, simulator } = await inTestMode(args.request);
  return formAction({
    authenticate: openForm(answer, async (_, input) => {
      const intentId = codeOf(args.params.intent_id);
      const { returnUrl } = await simulator.completeAuthentication(
        intentId,
        input.client_secret,
        input.answer === "approve",
      );
      throw redirect(returnUrl ? ownPathOf(returnUrl, config.appUrl) : "/subscriptions");
    }),
  })(args);
};

const Authenticate = () => {
  const { payment, card, clientSecret } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto w-full max-w-md py-6">
      <section className="grid gap-5 rounded-xl border border-line-strong border-dashed bg-surface p-6 text-center">
        <p className="font-medium text-muted text-sm">Simulated bank, no real card</p>
        <h1 className="font-semibold text-ink text-xl">
          {payment
            ? `Approve ${formatMoney(payment.amountCents, payment.currency.toUpperCase())}?`
            : "Approve saving your card?"}
        </h1>
        <p className="text-muted text-sm">
          {card ? `${formatWord(card.brand)} card ending in ${card.last4}. ` : ""}
          {payment?.description ?? ""}
        </p>
        <Form method="post" className="grid grid-cols-2 gap-3">
          <input type="hidden" name="intent" value="authenticate" />
          <input type="hidden" name="client_secret" value={clientSecret} />
          <Button name="answer" value="refuse">
            Refuse
          </Button>
          <Button name="answer" value="approve" variant="primary">
            Approve
          </Button>
        </Form>
      </section>
    </div>
  );
};

export default Authenticate;
