import { Form, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Button, type ButtonSize } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { SubmitButton } from "./submit-button.tsx";

type Props = {
  /** Unique on the page. */
  id: string;
  /** Label of the button that opens the dialog: "Delete". */
  label: string;
  /** Accessible name of that button, where several have the same label: "Delete Nightly import". */
  name?: string;
  icon?: IconName;
  size?: ButtonSize;
  /** The question: "Delete “Nightly import”?" */
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** The form's intent; `fields` are its hidden fields. */
  intent: string;
  fields?: Readonly<Record<string, string | number>>;
  /** Label of the button that confirms: "Delete permanently". */
  confirm: string;
  pendingLabel?: string;
  /** Label of the button that cancels. It has the initial focus. */
  keep?: string;
};

/**
 * A confirmation dialog for actions that cannot be undone. As a popover it is in the top layer, opens without scripts
 * and closes on Escape.
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
      ref={useCloseAfterSubmission()}
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

// The types of React 18 lack this attribute.
const popover: object = { popover: "auto" };

/**
 * Closes the dialog after a submission, because the page behind it shows the result. One that was opened meanwhile stays open:
 * the page may show the result of an action before it has loaded its new data.
 */
const useCloseAfterSubmission = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const { state } = useNavigation();
  const wasIdle = useRef(state === "idle");
  const wasOpen = useRef(false);
  useEffect(() => {
    const isOpen = dialog.current?.matches(":popover-open") ?? false;
    if (wasIdle.current) wasOpen.current = isOpen;
    else if (state === "idle" && wasOpen.current && isOpen) dialog.current?.hidePopover();
    wasIdle.current = state === "idle";
  }, [state]);
  return dialog;
};
