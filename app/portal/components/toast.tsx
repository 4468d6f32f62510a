import { useEffect, useState } from "react";
import { Icon } from "./icon.tsx";

export type ToastMessage = {
  /** Another id shows the same words again. */
  id: string;
  tone: "success" | "danger";
  text: string;
};

/**
 * What has just happened, in a corner. Pass the message of the last action, or null; the region itself is always there,
 * so that screen readers notice. Without scripts the message simply stays.
 */
export const ToastRegion = ({ message }: { message: ToastMessage | null }) => {
  const [dismissed, setDismissed] = useState<string | null>(null);
  const id = message?.id;
  const lasts = message?.tone === "success";
  useEffect(() => {
    if (id === undefined || !lasts) return;
    const timer = setTimeout(() => setDismissed(id), 6000);
    return () => clearTimeout(timer);
  }, [id, lasts]);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 bottom-4 z-20 flex justify-center sm:justify-end">
      {message && dismissed !== message.id ? (
        <div
          key={message.id}
          className="toast pointer-events-auto flex max-w-md items-start gap-3 rounded-xl border border-line bg-surface py-3 pr-2 pl-4 text-ink text-sm shadow-float"
        >
          <Icon
            name={message.tone === "success" ? "check-circle" : "x-circle"}
            className={`mt-0.5 size-5 ${message.tone === "success" ? "text-success" : "text-danger"}`}
          />
          <p className="min-w-0 py-0.5">{message.text}</p>
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => setDismissed(message.id)}
            className="grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink"
          >
            <Icon name="x" className="size-4" />
          </button>
        </div>
      ) : null}
    </div>
  );
};
