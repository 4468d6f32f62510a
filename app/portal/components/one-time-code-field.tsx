import { Link } from "@remix-run/react";
import type { SecondProof } from "../../domain/accounts/confirm-holder.server.ts";
import { TextField } from "./text-field.tsx";

type Props = {
  /** Where a page has several. */
  id?: string;
  error: string | undefined;
} & (
  | { accepts: "app code or recovery code" | "recovery code" }
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
      {...(props.accepts === "recovery code" ? { label: "Recovery code", autoComplete: "off" } : {})}
      hint={props.accepts === "recovery code" ? "Each works once" : "From your authenticator app, or a recovery code"}
      autoCapitalize="none"
      spellCheck={false}
    />
  );
};

type SecondProofProps = {
  asks: SecondProof;
  /** Where a page has several. */
  id?: string;
  error: string | undefined;
  /** The page, to return to. */
  next: string;
};

/** After the password, in a form that asks for all factors. */
export const SecondProofField = ({ asks, next, ...field }: SecondProofProps) => {
  if (asks === null) return null;
  if (asks === "code") return <OneTimeCodeField {...field} accepts="app code or recovery code" />;
  return (
    <p className="text-sm leading-6">
      First,{" "}
      <Link
        to={`/confirm-identity?${new URLSearchParams({ next })}`}
        className="font-medium text-accent underline underline-offset-3"
      >
        confirm with your passkey
      </Link>
      . Then your password is enough here.
    </p>
  );
};
