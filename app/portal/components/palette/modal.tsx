import { type ReactNode, useEffect, useRef } from "react";

type Props = {
  label: string;
  onClose: () => void;
  children: ReactNode;
};

/**
 * The browser's own modal dialog: keeps the focus inside, closes with Esc, a click beside it or a `<form
 * method="dialog">`, and then gives the focus back to where it was.
 */
export const Modal = ({ label, onClose, children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
      className="modal m-auto mt-4 w-[min(40rem,calc(100vw-2rem))] overflow-hidden rounded-2xl border border-line-strong bg-surface p-0 text-ink shadow-float sm:mt-[12vh]"
    >
      {children}
    </dialog>
  );
};
