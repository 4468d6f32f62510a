import { useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { FormProblem } from "#app/portal/form-action.server.ts";

type Answer = { result: string | null; problem: FormProblem | null };

export type UploadState = {
  /** Bytes. Null: nothing is being sent. */
  progress: { sent: number; total: number } | null;
  problem: FormProblem | null;
};

/**
 * Sends a form with a file by XMLHttpRequest, which tells how much is sent, and opens the page that the answer names.
 * Without scripts the browser sends the same form, and shows the progress itself.
 */
export const useUpload = (url: string) => {
  const navigate = useNavigate();
  const request = useRef<XMLHttpRequest | null>(null);
  const [state, setState] = useState<UploadState>({ progress: null, problem: null });
  useEffect(() => () => request.current?.abort(), []);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sending = new XMLHttpRequest();
    request.current = sending;
    const fail = () => setState({ progress: null, problem: brokenOff });
    sending.upload.addEventListener("progress", ({ loaded, total }) =>
      setState({ progress: { sent: loaded, total }, problem: null }),
    );
    sending.addEventListener("error", fail);
    sending.addEventListener("load", () => {
      const answer = answerIn(sending.responseText);
      if (answer?.result) navigate(answer.result);
      else setState({ progress: null, problem: answer?.problem ?? brokenOff });
    });
    setState({ progress: { sent: 0, total: 0 }, problem: null });
    sending.open("POST", url);
    sending.send(new FormData(event.currentTarget));
  };
  return { ...state, send };
};

const brokenOff: FormProblem = {
  message: "The upload was interrupted. Try again",
  fields: [],
  values: {},
  intent: "upload",
};

const answerIn = (text: string): Answer | null => {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return null;
  }
};
