import { useFetcher } from "@remix-run/react";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button, type ButtonVariant } from "./button.tsx";

/** What the page's action returns for `ask`. */
export type PasskeyOptions =
  | { create: PublicKeyCredentialCreationOptionsJSON }
  | { get: PublicKeyCredentialRequestOptionsJSON };

type Asked = { result: { options?: PasskeyOptions } | null; problem: { message: string } | null };

type Props = {
  /** The intent that returns the options, and fields to send with it. */
  ask: string;
  fields?: Readonly<Record<string, string>>;
  /** Gets the browser's answer, for the form's field `passkey`. */
  onAnswer: (passkey: string) => void;
  /** The answer is being submitted. */
  pending: boolean;
  /** What to do without scripts, or in a browser without passkeys: "Sign in with your password." */
  otherwise: string;
  variant?: ButtonVariant;
  /** As wide as the form. */
  isWide?: boolean;
  children: ReactNode;
};

/** Asks the browser for a passkey, which shows its own dialog. */
export const PasskeyButton = ({
  ask,
  fields,
  onAnswer,
  pending,
  otherwise,
  variant,
  isWide = false,
  children,
}: Props) => {
  const { data, state, submit } = useFetcher<Asked>();
  const [isAsking, setIsAsking] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isSupported, setIsSupported] = useState(true);
  useEffect(() => setIsSupported("PublicKeyCredential" in window), []);

  const answered = useRef<Asked>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response of the server opens the browser's dialog once
  useEffect(() => {
    // Until the page's own data has been loaded again, that could abort the form's submission.
    if (state !== "idle" || !data || data === answered.current) return;
    answered.current = data;
    const options = data.result?.options;
    if (!options) {
      setTrouble(data.problem?.message ?? null);
      return;
    }
    setIsAsking(true);
    answerTo(options)
      .then(onAnswer, (error: unknown) => setTrouble(inWords(error, "create" in options)))
      .finally(() => setIsAsking(false));
  }, [data, state]);

  const isBusy = pending || isAsking || state !== "idle";
  const start = () => {
    setTrouble(null);
    submit({ ...fields, intent: ask }, { method: "post" });
  };
  if (!isSupported) return <p className="text-muted text-sm">This browser does not support passkeys. {otherwise}</p>;
  return (
    <>
      <div className="grid gap-2.5 noscript:hidden">
        <Button
          type="button"
          icon="key"
          variant={variant ?? "secondary"}
          pending={isBusy}
          onClick={start}
          className={isWide ? "w-full" : "justify-self-start"}
        >
          {children}
        </Button>
        <p role="status" className={trouble ? "text-danger text-sm leading-5.5" : "sr-only"}>
          {isAsking ? "Follow your browser’s instructions." : trouble}
        </p>
      </div>
      <p className="hidden text-muted text-sm noscript:block">Passkeys need JavaScript. {otherwise}</p>
    </>
  );
};

/** Loaded with the first click: few visitors have a passkey. */
const answerTo = async (options: PasskeyOptions): Promise<string> => {
  const { startAuthentication, startRegistration } = await import("@simplewebauthn/browser");
  return JSON.stringify(
    "create" in options
      ? await startRegistration({ optionsJSON: options.create })
      : await startAuthentication({ optionsJSON: options.get }),
  );
};

/** Browsers reject with the same error if the person cancels, takes too long, or has no passkey. */
const inWords = (error: unknown, isNew: boolean): string => {
  switch (error instanceof Error ? error.name : "") {
    case "NotAllowedError":
    case "AbortError":
      return isNew ? "No passkey was created. Try again." : "No passkey was used. Try again, or use another way.";
    case "InvalidStateError":
      return "This device has a passkey for your account already. Use another device.";
    case "SecurityError":
      return "Passkeys do not work at this address. Open the site at its own address.";
    case "NotSupportedError":
    case "ConstraintError":
      return "This device cannot hold a passkey. Use another device.";
    default:
      return isNew
        ? "Your browser could not create a passkey. Try again."
        : "Your browser could not use a passkey. Try again, or use another way.";
  }
};
