/** The interface to a mail system. */
export type Mail = {
  /** The same for every attempt, so that receivers can recognise duplicates. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Stops such mail by one click (RFC 8058). Null: it cannot be stopped. */
  unsubscribeUrl: string | null;
};

export type Mailer = {
  /** Whether mail leaves the service. Without a mail system it stays in the outbox, where it can be read. */
  delivers: boolean;
  /**
   * Resolves when the mail system has accepted the message.
   *
   * @throws PermanentRejection when the mail system rejects it permanently
   * @throws any other error, after which the message is retried later
   */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
};

/** A permanent rejection of an address or a message (SMTP 5xx). */
export class PermanentRejection extends Error {
  override readonly name = "PermanentRejection";
}

/** For a service without a mail system: messages stay in the outbox. */
export const outboxOnly: Mailer = { delivers: false, send: async () => {}, close: async () => {} };
