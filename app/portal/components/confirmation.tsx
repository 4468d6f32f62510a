import { Form, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Button, type ButtonSize } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { SubmitButton } from "./submit-button.tsx";

type Props = {
  /** Of its own on the page. */
  id: string;
  /** On the button that asks: "Delete". */
  label: string;
  /** That button's whole name, where several do the same: "Delete Nightly import". */
  name?: string;
  icon?: IconName;
  size?: ButtonSize;
  /** What is asked: "Delete “Nightly import”?" */
  title: string;
  /** What will have happened, and whether there is a way back. */
  children: ReactNode;
  /** The form that is sent: its intent, and what it acts on. */
  intent: string;
  fields?: Readonly<Record<string, string | number>>;
  /** On the button that does it: "Delete for good". */
  confirm: string;
  pendingLabel?: string;
  /** On the button that does nothing, which has the focus first. */
  keep?: string;
};

/**
 * Asks before it does what cannot be taken back. A dialog as a popover: it lies over everything, opens without scripts,
 * and Escape closes it.
 */
export const Confirmation = ({
  id,
  label,
  name,
  icon,
  size,
  title,
  children,
  intent,
  fields = {},
  confirm,
  pendingLabel,
  keep = "Keep it",
}: Props) => (
  <>
    <Button
      type="button"
      variant="caution"
      aria-haspopup="dialog"
      {...(name === undefined ? {} : { "aria-label": name })}
      {...(icon ? { icon } : {})}
      {...(size ? { size } : {})}
      {...{ popovertarget: id }}
    >
      {label}
    </Button>
    <dialog
      id={id}
      ref={useClosingWhenDone()}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-what`}
      className="modal m-auto w-[min(28rem,calc(100%-2rem))] whitespace-normal rounded-2xl border border-line bg-surface p-0 text-left font-normal text-ink shadow-float"
      {...popover}
    >
      <Form method="post" preventScrollReset>
        {Object.entries(fields).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
        <div className="flex items-start gap-4 px-5 pt-5 pb-4">
          <span className="grid size-9 shrink-0 place-items-center rounded-full bg-danger-soft text-danger">
            <Icon name="alert-triangle" className="size-5" />
          </span>
          <div className="min-w-0">
            <p id={`${id}-title`} className="wrap-anywhere pt-1.5 font-semibold text-base leading-6">
              {title}
            </p>
            <div id={`${id}-what`} className="mt-1 text-pretty text-muted text-sm leading-5.5">
              {children}
            </div>
          </div>
        </div>
        <div className="flex flex-wrap justify-end gap-2.5 border-line border-t bg-canvas px-5 py-3">
          <Button type="button" {...{ popovertarget: id, popovertargetaction: "hide" }}>
            {keep}
          </Button>
          <SubmitButton variant="danger" name="intent" value={intent} {...(pendingLabel ? { pendingLabel } : {})}>
            {confirm}
          </SubmitButton>
        </div>
      </Form>
    </dialog>
  </>
);

// React 18 does not know this attribute by type.
const popover: object = { popover: "auto" };

/** Whatever the answer was, it is told on the page behind. */
const useClosingWhenDone = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const { state } = useNavigation();
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== "idle" && state === "idle" && dialog.current?.matches(":popover-open")) {
      dialog.current.hidePopover();
    }
    before.current = state;
  }, [state]);
  return dialog;
};
