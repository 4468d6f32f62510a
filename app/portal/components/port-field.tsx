// biome-ignore-all lint/a11y/useFocusableInteractive: a combobox keeps the focus in its field (aria-activedescendant)
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field handles the keyboard
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import type { PortSuggestion, Suggestions } from "#app/domain/catalogue/suggest.ts";
import { portLabel } from "../port-label.ts";
import { describedBy, Field, type FieldProps } from "./field.tsx";

type Props = Omit<FieldProps, "name"> & {
  name: "origin" | "destination";
  defaultValue?: string | undefined;
  required?: boolean;
  /** Submits the form once a port is chosen. */
  submits?: boolean;
};

/** A port by name, code, alias or country, with suggestions as one types. Without scripts it takes a name or a code. */
export const PortField = ({ name, label, hint, error, defaultValue, optional, required, submits = false }: Props) => {
  const field = useRef<HTMLInputElement>(null);
  const { ports, suggest, close } = useSuggestions(name);
  const [chosen, setChosen] = useState(-1);
  const list = `${name}-ports`;
  const current = ports[chosen];
  // "Back" and "Clear all" change the value outside the field, which is uncontrolled.
  const shown = useRef(defaultValue);
  useEffect(() => {
    if (shown.current !== defaultValue && field.current) field.current.value = defaultValue ?? "";
    shown.current = defaultValue;
  }, [defaultValue]);

  const choose = (port: PortSuggestion) => {
    if (!field.current) return;
    field.current.value = portLabel(port);
    close();
    if (submits) field.current.form?.requestSubmit();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || ports.length === 0) return;
    if (event.key === "Enter" && current) choose(current);
    else if (event.key === "Escape") close();
    else if (event.key === "ArrowDown") setChosen((chosen + 1) % ports.length);
    else if (event.key === "ArrowUp") setChosen((chosen <= 0 ? ports.length : chosen) - 1);
    else return;
    event.preventDefault();
  };

  return (
    <Field name={name} label={label} hint={hint} error={error} optional={optional ?? false}>
      <div className="relative">
        <input
          ref={field}
          id={name}
          name={name}
          type="text"
          role="combobox"
          aria-expanded={ports.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={current && `${name}-${current.unlocode}`}
          autoComplete="off"
          spellCheck={false}
          placeholder="Name or code"
          required={required}
          defaultValue={defaultValue}
          onChange={({ target }) => {
            setChosen(-1);
            suggest(target.value, target.form);
          }}
          onKeyDown={onKey}
          onBlur={close}
          className="control"
          {...describedBy({ name, hint, error })}
        />
        <div
          id={list}
          role="listbox"
          aria-label={label}
          hidden={ports.length === 0}
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 min-w-60 overflow-y-auto rounded-lg border border-line-strong bg-surface p-1 shadow-float"
        >
          {ports.map((port, index) => (
            <div
              key={port.unlocode}
              id={`${name}-${port.unlocode}`}
              role="option"
              aria-selected={index === chosen}
              // Keeps the focus in the field.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(port)}
              className="cursor-pointer rounded-md border border-transparent px-2.5 py-1.5 text-sm leading-5 hover:bg-sunken aria-selected:border-accent-line aria-selected:bg-accent-soft forced-colors:aria-selected:border-[Highlight]"
            >
              {port.name} <span className="font-mono text-muted text-xs">{port.unlocode}</span>
              <span className="block text-muted text-xs">{port.country}</span>
            </div>
          ))}
        </div>
      </div>
    </Field>
  );
};

/** Debounce: how long typing must pause before a request. */
const debounceMs = 150;
const codeIn = /([A-Z]{2}[A-Z2-9]{3})\)?\s*$/;

/** Ports for what has been typed; if the other port is known, only ports with routes to or from it. */
const useSuggestions = (name: Props["name"]) => {
  const [ports, setPorts] = useState<readonly PortSuggestion[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const request = useRef<AbortController>();
  const cancel = useCallback(() => {
    clearTimeout(timer.current);
    request.current?.abort();
  }, []);
  useEffect(() => cancel, [cancel]);
  const close = () => {
    cancel();
    setPorts([]);
  };
  const suggest = (q: string, form: HTMLFormElement | null) => {
    cancel();
    const search = new URLSearchParams({ q });
    const other = name === "origin" ? "destination" : "origin";
    const code = codeIn.exec(String(new FormData(form ?? undefined).get(other) ?? ""))?.[1];
    if (code) search.set(other, code);
    timer.current = setTimeout(() => {
      const own = new AbortController();
      request.current = own;
      void portsFor(search, own.signal).then((found) => {
        if (!own.signal.aborted) setPorts(found);
      });
    }, debounceMs);
  };
  return { ports, suggest, close };
};

/** Without a connection there are no suggestions; what is typed can still be submitted. */
const portsFor = async (search: URLSearchParams, signal: AbortSignal): Promise<readonly PortSuggestion[]> => {
  try {
    const response = await fetch(`/suggestions?${search}`, { signal });
    return response.ok ? ((await response.json()) as Suggestions).ports : [];
  } catch {
    return [];
  }
};
