import { useNavigate, useNavigation, useSearchParams } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";

const debounceMs = 250;

/**
 * Searches while the user types, and at once when a box is ticked or a port chosen. It replaces the history entry, so that "back" leaves
 * the page, and the field keeps focus and caret. Without scripts the form is submitted by its button.
 */
export const useInstantSearch = () => {
  const navigate = useNavigate();
  const navigation = useNavigation();
  const [searchParams] = useSearchParams();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const queryField = useRef<HTMLInputElement>(null);
  const q = searchParams.get("q") ?? "";

  const go = (form: HTMLFormElement) => {
    clearTimeout(timer.current);
    const search = searchOf(form);
    if (search === searchOfParams(searchParams)) return;
    navigate({ search }, { replace: true, preventScrollReset: true });
  };

  // Catches up on what was typed or ticked before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mount
  useEffect(() => {
    const form = queryField.current?.form;
    if (form && isChanged(form)) go(form);
    return () => clearTimeout(timer.current);
  }, []);
  // "Back" and "Clear all" change the query outside the field, which is uncontrolled.
  const shown = useRef(q);
  useEffect(() => {
    if (shown.current !== q && queryField.current && document.activeElement !== queryField.current)
      queryField.current.value = q;
    shown.current = q;
  }, [q]);

  const isOurs = navigation.location?.pathname === "/routes";
  return {
    queryField,
    /** The current choice, even before the results are there. */
    chosen: isOurs ? new URLSearchParams(navigation.location?.search) : searchParams,
    searching: isOurs,
    formProps: {
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        go(event.currentTarget);
      },
      onChange: (event: FormEvent<HTMLFormElement>) => {
        const form = event.currentTarget;
        // A port is searched for once it is chosen or submitted.
        if (isPort(event.target)) return;
        clearTimeout(timer.current);
        if (event.target === queryField.current) timer.current = setTimeout(() => go(form), debounceMs);
        else go(form);
      },
    },
  };
};

const isPort = (target: EventTarget): boolean =>
  target instanceof HTMLInputElement && ["origin", "destination"].includes(target.name);

/** Whether the user has changed the form since the server rendered it. */
const isChanged = (form: HTMLFormElement): boolean =>
  [...form.elements].some(
    (field) =>
      field instanceof HTMLInputElement &&
      (field.value !== field.defaultValue || field.checked !== field.defaultChecked),
  );

/** The form as a query string, without empty fields. */
const searchOf = (form: HTMLFormElement): string => {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return searchOfParams(new URLSearchParams(entries));
};

const searchOfParams = (params: URLSearchParams): string => {
  const nonEmpty = new URLSearchParams([...params].filter(([name, value]) => value.trim() !== "" && name !== "cursor"));
  return nonEmpty.size > 0 ? `?${nonEmpty}` : "";
};
