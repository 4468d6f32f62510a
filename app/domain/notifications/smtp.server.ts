/** Mail by SMTP. The only importer of nodemailer. */
import { createTransport } from "nodemailer";
import type { Mailer } from "./mailer.ts";

/** @param from what recipients see, for example `Shipping Route Data <billing@example.com>` */
export const smtpMailer = ({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer => {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  return {
    delivers: true,
    send: async ({ messageId, to, subject, text, html }) => {
      await transport.sendMail({
        from,
        to,
        subject,
        text,
        html,
        messageId,
        // No out-of-office answers.
        headers: { "Auto-Submitted": "auto-generated" },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
    close: async () => transport.close(),
  };
};
