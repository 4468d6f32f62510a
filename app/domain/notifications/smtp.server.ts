/** Sends mail by SMTP. Only this file imports nodemailer. */
import { createTransport } from "nodemailer";
import { type Mailer, PermanentRejection } from "./mailer.ts";

/**
 * @param from the sender, for example `Shipping Route Data <billing@example.com>`
 * @param requireTls whether the message stays in the outbox if the server offers no encryption
 */
export const smtpMailer = ({
  smtpUrl,
  from,
  requireTls,
}: {
  smtpUrl: string;
  from: string;
  requireTls: boolean;
}): Mailer => {
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: requireTls,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  return {
    delivers: true,
    send: async ({ messageId, to, subject, text, html, unsubscribeUrl }) => {
      const message = {
        from,
        to,
        subject,
        text,
        html,
        messageId,
        headers: {
          // Suppresses out-of-office replies.
          "Auto-Submitted": "auto-generated",
          ...(unsubscribeUrl === null ? {} : oneClick(unsubscribeUrl)),
        },
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      await transport.sendMail(message).catch((error: unknown) => {
        throw isPermanent(error) ? new PermanentRejection(error.message) : error;
      });
    },
    close: async () => transport.close(),
  };
};

/** Mail programs show a button that sends a POST to the address. @see RFC 8058 */
const oneClick = (url: string) => ({
  "List-Unsubscribe": `<${url}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** Whether recipient or message were rejected permanently. A rejected login is a configuration error and can be fixed. */
const isPermanent = (error: unknown): error is Error =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "EENVELOPE" || error.code === "EMESSAGE") &&
  "responseCode" in error &&
  Number(error.responseCode) >= 500;
