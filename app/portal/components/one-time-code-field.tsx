import { TextField } from "./text-field.tsx";

type Props = {
  /** Where a page has several. */
  id?: string;
  error: string | undefined;
} & (
  | { accepts: "app code or recovery code" }
  /** Not a recovery code. */
  | { accepts: "app code"; hint: string }
);

/** The code of a second factor. Browsers and phones fill it in. */
export const OneTimeCodeField = (props: Props) => {
  const field = {
    name: "code",
    label: "Code",
    autoComplete: "one-time-code",
    required: true,
    error: props.error,
    ...(props.id === undefined ? {} : { id: props.id }),
  };
  return props.accepts === "app code" ? (
    <TextField {...field} hint={props.hint} inputMode="numeric" />
  ) : (
    <TextField
      {...field}
      hint="From your authenticator app, or a recovery code"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
};
