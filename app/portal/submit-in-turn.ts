import { useNavigation, useSubmit } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";

/**
 * Sends the forms of an element one after the other. By default a new submission aborts the one that is under way, and
 * is sent without the cookie that the aborted one would have set.
 */
export const useSubmitInTurn = () => {
  const submit = useSubmit();
  const { state } = useNavigation();
  const [waiting, setWaiting] = useState<FormData[]>([]);
  // The state becomes "submitting" only some time after the call.
  const isSent = useRef(false);
  useEffect(() => {
    if (state !== "idle") {
      isSent.current = false;
      return;
    }
    const [next, ...others] = waiting;
    if (!next || isSent.current) return;
    isSent.current = true;
    setWaiting(others);
    submit(next, { method: "post", preventScrollReset: true });
  }, [state, waiting, submit]);
  return {
    onSubmitCapture: (event: FormEvent<HTMLElement>) => {
      if (!(event.target instanceof HTMLFormElement) || !(event.nativeEvent instanceof SubmitEvent)) return;
      event.preventDefault();
      const form = new FormData(event.target, event.nativeEvent.submitter);
      setWaiting((others) => [...others, form]);
    },
  };
};
