import { useNavigate, useNavigation, useSearchParams } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";

const pauseMs = 250;

/**
 * Searches while one types, and at once when a box is ticked. The address is replaced, so that "back" leaves the page;
 * the field keeps focus and caret. Without scripts the form does the same by its button.
 */
export const useInstantSearch = () => {
  const navigate = useNavigate();
  const navigation = useNavigation();
  const [present] = useSearchParams();
  const pause = useRef<ReturnType<typeof setTimeout>>();
  const words = useRef<HTMLInputElement>(null);
  const q = present.get("q") ?? "";

  const go = (form: HTMLFormElement) => {
    clearTimeout(pause.current);
    const wanted = searchOf(form);
    if (wanted === searchOfParams(present)) return;
    navigate({ search: wanted }, { replace: true, preventScrollReset: true });
  };

  // What was typed or ticked before the page's script had run.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => {
    const form = words.current?.form;
    if (form && isChanged(form)) go(form);
    return () => clearTimeout(pause.current);
  }, []);
  // "Back" and "Clear all" change the words from outside.
  const shown = useRef(q);
  useEffect(() => {
    if (shown.current !== q && words.current && document.activeElement !== words.current) words.current.value = q;
    shown.current = q;
  }, [q]);

  const isOurs = navigation.location?.pathname === "/routes";
  return {
    words,
    /** As chosen, before the answer is there. */
    chosen: isOurs ? new URLSearchParams(navigation.location?.search) : present,
    searching: isOurs,
    formProps: {
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        go(event.currentTarget);
      },
      onChange: (event: FormEvent<HTMLFormElement>) => {
        const form = event.currentTarget;
        clearTimeout(pause.current);
        if (event.target === words.current) pause.current = setTimeout(() => go(form), pauseMs);
        else go(form);
      },
    },
  };
};

/** By its reader, since the server sent it. */
const isChanged = (form: HTMLFormElement): boolean =>
  [...form.elements].some(
    (field) =>
      field instanceof HTMLInputElement &&
      (field.value !== field.defaultValue || field.checked !== field.defaultChecked),
  );

/** What the form says, without what it leaves open. */
const searchOf = (form: HTMLFormElement): string => {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return searchOfParams(new URLSearchParams(entries));
};

const searchOfParams = (params: URLSearchParams): string => {
  const telling = new URLSearchParams([...params].filter(([name, value]) => value.trim() !== "" && name !== "cursor"));
  return telling.size > 0 ? `?${telling}` : "";
};
