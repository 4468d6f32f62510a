import { Link } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { Toast } from "../toast.ts";
import { Icon } from "./icon.tsx";

/** How many are shown at once. A new one replaces the oldest. */
const maxToasts = 3;
/** Long enough for slow readers. */
const minimumMs = 6_000;
const perCharacterMs = 90;

type Shown = { id: number; toast: Toast };

/**
 * Messages about what has just been done, announced politely to screen readers. They disappear automatically, but not
 * while the pointer or the focus is on one of them. Without scripts a message is a notice above the page that
 * stays in view, as the page may open at one of its sections.
 */
export const Toasts = ({ toast }: { toast: Toast | undefined }) => {
  const [shown, setShown] = useState<readonly Shown[]>(toast ? [{ id: 0, toast }] : []);
  const [isPaused, setIsPaused] = useState(false);
  const seen = useRef(toast);
  const next = useRef(1);
  useEffect(() => {
    if (toast === seen.current) return;
    seen.current = toast;
    if (toast) setShown((before) => [...before, { id: next.current++, toast }].slice(-maxToasts));
  }, [toast]);
  const remove = (id: number) => setShown((before) => before.filter((one) => one.id !== id));
  return (
    <section
      aria-label="Messages"
      className="no-print pointer-events-none fixed inset-x-0 bottom-0 z-40 mx-auto w-full max-w-md p-4 noscript:sticky noscript:top-0 sm:right-0 sm:left-auto sm:mr-0"
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
    >
      <div aria-live="polite" className="grid gap-2">
        {shown.map(({ id, toast }) => (
          <Notice key={id} toast={toast} isPaused={isPaused} onDismiss={() => remove(id)} />
        ))}
      </div>
    </section>
  );
};

const Notice = ({ toast, isPaused, onDismiss }: { toast: Toast; isPaused: boolean; onDismiss: () => void }) => {
  const dismiss = useRef(onDismiss);
  dismiss.current = onDismiss;
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => dismiss.current(), minimumMs + toast.message.length * perCharacterMs);
    return () => clearTimeout(timer);
  }, [isPaused, toast]);
  return (
    <div className="toast pointer-events-auto flex items-start gap-3 rounded-xl border border-line-strong bg-surface py-2.5 pr-2 pl-4 text-sm shadow-float">
      <Icon name="check-circle" className="mt-1.5 size-5 text-success" />
      <p className="min-w-0 flex-1 py-1.5 leading-5">
        {toast.message}
        {toast.link ? (
          <>
            {" "}
            <Link to={toast.link.to} className="link whitespace-nowrap">
              {toast.link.label}
            </Link>
          </>
        ) : null}
      </p>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => {
          onDismiss();
          document.getElementById("main")?.focus({ preventScroll: true });
        }}
        className="grid size-8 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink noscript:hidden"
      >
        <Icon name="x" className="size-4.5" />
      </button>
    </div>
  );
};
