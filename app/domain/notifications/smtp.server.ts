/** Mail by SMTP. The only importer of nodemailer. */
import { createTransport } from "nodemailer";
import { type Mailer, RefusedForGood } from "./mailer.ts";

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
      const message = {
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
      };
      await transport.sendMail(message).catch((error: unknown) => {
        throw isForGood(error) ? new RefusedForGood(error.message) : error;
      });
    },
    close: async () => transport.close(),
  };
};

/** Of the recipient or the message; a refused login is ours to mend, and says nothing about either. */
const isForGood = (error: unknown): error is Error =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "EENVELOPE" || error.code === "EMESSAGE") &&
  "responseCode" in error &&
  Number(error.responseCode) >= 500;
