import { formatInstant } from "../format.ts";
import { Badge } from "./badge.tsx";

export type ConversationMessage = {
  id: number;
  byOperator: boolean;
  /** Null if the author's account is closed. */
  author: string | null;
  body: string;
  createdAt: string;
};

type Props = {
  messages: readonly ConversationMessage[];
  reader: "holder" | "operator";
};

/** Messages of a support request, oldest first. The hash `#message-12` scrolls to a message. */
export const Conversation = ({ messages, reader }: Props) => (
  <ol className="grid gap-4" aria-label="Conversation">
    {messages.map((message) => {
      const isOwn = message.byOperator === (reader === "operator");
      return (
        <li key={message.id} className={isOwn ? "sm:pl-12" : "sm:pr-12"}>
          <article
            id={`message-${message.id}`}
            tabIndex={-1}
            aria-label={`Message from ${authorOf(message, reader)}, ${formatInstant(message.createdAt)}`}
            className={`rounded-xl border px-4 py-3 ${
              isOwn ? "border-line bg-surface" : "border-accent-line bg-accent-soft"
            }`}
          >
            <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 text-sm">
              <span className="font-semibold text-ink">{authorOf(message, reader)}</span>
              {message.byOperator ? <Badge tone="accent">Support</Badge> : null}
              <time dateTime={message.createdAt} className="text-[0.8125rem] text-muted">
                {formatInstant(message.createdAt)}
              </time>
            </p>
            <p className="mt-2 whitespace-pre-wrap break-words text-ink text-sm leading-6">{message.body}</p>
          </article>
        </li>
      );
    })}
  </ol>
);

/** Account holders see the service's name instead of the operator's. */
const authorOf = ({ byOperator, author }: ConversationMessage, reader: Props["reader"]): string => {
  if (reader === "holder") return byOperator ? "Shipping Route Data Service" : "You";
  return author ?? "A closed account";
};
