import { type InputHTMLAttributes, type ReactNode, useEffect, useState } from "react";
import { describedBy, Field, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";

type Props = Omit<FieldProps, "optional"> &
  Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "id" | "type" | "className" | "style"> & {
    /** Tells password managers whether to fill in a password or to suggest one. */
    autoComplete: "current-password" | "new-password";
    /** Needed if the page has several fields of the same name. */
    id?: string;
    aside?: ReactNode;
  };

/** With scripts a button shows the password. Without, it is an ordinary password field. */
export const PasswordField = ({ name, id = name, label, hint, error, aside, ...input }: Props) => {
  const [canShow, setCanShow] = useState(false);
  const [shown, setShown] = useState(false);
  useEffect(() => setCanShow(true), []);
  return (
    <Field name={id} label={label} hint={hint} error={error} aside={aside}>
      <div className="relative">
        <input
          {...input}
          type={shown ? "text" : "password"}
          id={id}
          name={name}
          className="control pr-12"
          spellCheck={false}
          {...describedBy({ name: id, hint, error })}
        />
        {canShow ? (
          <button
            type="button"
            onClick={() => setShown(!shown)}
            aria-pressed={shown}
            aria-label={`Show ${label.toLowerCase()}`}
            className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-lg text-muted hover:text-ink focus-visible:-outline-offset-2"
          >
            <Icon name={shown ? "eye-off" : "eye"} className="size-4.5" />
          </button>
        ) : null}
      </div>
    </Field>
  );
};
