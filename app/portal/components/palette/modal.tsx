import { type ReactNode, useEffect, useRef } from "react";

type Props = {
  label: string;
  onClose: () => void;
  children: ReactNode;
};

/**
 * The browser's native modal dialog: traps the focus, closes on Escape, on a click on the backdrop or by a `<form
 * method="dialog">`, and then restores the focus.
 */
export const Modal = ({ label, onClose, children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
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
