import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { getTestService } from "#app/context.server.ts";
import { listMailbox, sendDueMail } from "#app/domain/notifications/outbox.server.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { formatInstant } from "#app/portal/format.ts";

export const meta: MetaFunction = () => [{ title: "Test mailbox · Shipping Route Data Service" }];

export const loader = async ({ request }: LoaderFunctionArgs) => {
  const service = await getTestService(request);
  if (!service) throw new Response("Not found", { status: 404 });
  const { ctx, config } = service;
  await sendDueMail(ctx);
  const to = new URL(request.url).searchParams.get("to");
  const messages = (await listMailbox(ctx, { secrets: config.isLocal, limit: 200 })).filter(
    (message) => !to || message.to === to,
  );
  return {
    isLocal: config.isLocal,
    messages: messages.map(({ sentAt, ...message }) => ({ ...message, sentAt: sentAt?.toISOString() ?? null })),
  };
};

const Mailbox = () => {
  const { messages, isLocal } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Test mailbox"
        description={`In test mode mail is kept here instead of being sent. Newest first.${
          isLocal ? "" : " Links that open an account are not shown, as anybody can read this page."
        }`}
        actions={<ButtonLink to="/test-mode/time-machine">Time machine</ButtonLink>}
      />
      <Card flush>
        {messages.length === 0 ? (
          <EmptyState icon="mail" title="No e-mails yet" action={<ButtonLink to="/routes">Find a route</ButtonLink>}>
            Subscribe to a route and the receipt arrives here; move the clock and the reminders do.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {messages.map((message) => (
              <li key={message.id}>
                <details className="group">
                  <summary className="grid grid-cols-[1rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 px-5 py-3.5 hover:bg-canvas focus-visible:-outline-offset-2 md:grid-cols-[1rem_minmax(0,1fr)_16rem_11rem]">
                    <Icon
                      name="chevron-right"
                      className="size-4 translate-y-0.5 text-muted transition-transform group-open:rotate-90"
                    />
                    <span className="font-medium text-ink">{message.subject}</span>
                    <span className="wrap-anywhere text-muted text-sm max-md:col-start-2">{message.to}</span>
                    <span className="whitespace-nowrap text-muted text-sm tabular-nums max-md:col-start-2 md:text-right">
                      {message.sentAt ? formatInstant(message.sentAt) : "Not sent yet"}
                    </span>
                  </summary>
                  <div className="border-line border-t bg-canvas px-5 py-4 text-sm leading-6">
                    <p className="whitespace-pre-wrap break-words">{message.text}</p>
                    {message.withheld ? null : (
                      <p className="mt-4">
                        <a
                          href={`/test-mode/mailbox/${message.id}`}
                          className="text-accent underline underline-offset-3"
                          aria-label={`“${message.subject}” as HTML`}
                        >
                          As HTML
                        </a>
                      </p>
                    )}
                  </div>
                </details>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
};

export default Mailbox;
