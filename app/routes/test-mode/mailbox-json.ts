import { testModeRoute } from "../../api/test-mode-route.server.ts";
import { isoInstant } from "../../domain/dates.ts";
import { listMailbox, sendDueMail } from "../../domain/notifications/outbox.server.ts";

/** All mail of the service, newest first. Sends due mail first, so that readers need not wait for the next delivery. */
export const loader = testModeRoute({
  GET: async ({ ctx, isLocal }) => {
    await sendDueMail(ctx);
    const messages = await listMailbox(ctx, { secrets: isLocal });
    return {
      messages: messages.map(({ id, to, subject, text, sentAt }) => ({
        id,
        to,
        subject,
        text,
        sent_at: sentAt && isoInstant(sentAt),
      })),
    };
  },
});
export { loader as action };
