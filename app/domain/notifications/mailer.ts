/** What the service needs of a mail system. */
export type Mail = {
  /** The same with every try, so that receivers can tell a repetition. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
};

export type Mailer = {
  /** Whether mail leaves the service; without a mail system it stays in the outbox, to be read there. */
  delivers: boolean;
  /**
   * Resolves when the mail system has taken the message.
   *
   * @throws RefusedForGood when it says that it never will
   * @throws whatever else went wrong; it is tried again later
   */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
};

/** By a mail system, of an address or a message (SMTP's 5xx). */
export class RefusedForGood extends Error {
  override readonly name = "RefusedForGood";
}

/** For a service without a mail system. */
export const outboxOnly: Mailer = { delivers: false, send: async () => {}, close: async () => {} };
