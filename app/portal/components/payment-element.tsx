import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { declineCodeOf, declineInWords } from "../../domain/payments/declines.ts";
import { formatMoney } from "../format.ts";
import { Alert } from "./alert.tsx";
import { Button } from "./button.tsx";

type Props = {
  publishableKey: string;
  clientSecret: string;
  /** URL of Stripe.js. */
  scriptUrl: string;
  /** Where the browser goes after the card was accepted or authenticated. */
  returnUrl: string;
  /** Null to save the card without a payment. */
  amountCents: number | null;
  /** Where the form's own fields are posted before the card is confirmed. */
  choiceUrl?: string;
  /** Fields of ours, below Stripe's. */
  children?: ReactNode;
};

/** The part of Stripe.js used here. */
type StripeJs = {
  elements(options: { clientSecret: string }): { create(type: "payment"): { mount(at: HTMLElement): void } };
  confirmPayment(options: ElementsConfirmation): Promise<Confirmation>;
  confirmSetup(options: ElementsConfirmation): Promise<Confirmation>;
};

type ElementsConfirmation = {
  elements: ReturnType<StripeJs["elements"]>;
  confirmParams: { return_url: string };
};

type Confirmation = { error?: { type?: string; code?: string; decline_code?: string; message?: string } };

declare global {
  interface Window {
    Stripe?: (publishableKey: string) => StripeJs;
  }
}

/** Stripe's Payment Element: card numbers go straight to Stripe, never through the service. Needs scripts. */
export const PaymentElement = (props: Props) => {
  const { publishableKey, clientSecret, scriptUrl, returnUrl, amountCents, choiceUrl, children } = props;
  const place = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState<{ stripe: StripeJs; elements: ReturnType<StripeJs["elements"]> } | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);

  useEffect(() => {
    let isUnmounted = false;
    loadScript(scriptUrl).then(
      () => {
        const stripe = window.Stripe?.(publishableKey);
        if (isUnmounted || !stripe || !place.current) return;
        const elements = stripe.elements({ clientSecret });
        elements.create("payment").mount(place.current);
        setReady({ stripe, elements });
      },
      () => setError("The payment form could not be loaded. Check your connection and reload the page."),
    );
    return () => {
      isUnmounted = true;
    };
  }, [publishableKey, clientSecret, scriptUrl]);

  const confirm = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!ready || pending) return;
    setPending(true);
    setError(null);
    const choice = new FormData(event.currentTarget);
    const isRecorded = choiceUrl === undefined || (await post(choiceUrl, choice));
    setError(
      isRecorded
        ? await confirmCard(ready)
        : "Nothing was charged. Check your connection, reload the page and try again.",
    );
    setPending(false);
  };

  const confirmCard = async ({ stripe, elements }: NonNullable<typeof ready>): Promise<string> => {
    const confirmation = { elements, confirmParams: { return_url: returnUrl } };
    const { error } = await (amountCents === null
      ? stripe.confirmSetup(confirmation)
      : stripe.confirmPayment(confirmation));
    if (error?.type === "card_error") return declineInWords(declineCodeOf(error));
    return (
      error?.message ??
      `${amountCents === null ? "The card was not saved" : "Payment failed"}. Try again, or use another card.`
    );
  };

  return (
    <form onSubmit={confirm} className="grid gap-5">
      {error ? (
        <Alert tone="danger" live>
          {error}
        </Alert>
      ) : null}
      <div ref={place} className="min-h-60" />
      <noscript>
        <Alert tone="warning">Stripe's payment form needs JavaScript. Turn it on and reload the page.</Alert>
      </noscript>
      {children}
      <Button variant="primary" icon="lock" pending={pending} disabled={!ready}>
        {amountCents === null ? "Save card" : `Pay ${formatMoney(amountCents)}`}
      </Button>
    </form>
  );
};

/** @returns whether it was accepted. A redirect leads to the sign-in page. */
const post = async (url: string, body: FormData): Promise<boolean> => {
  const response = await fetch(url, { method: "POST", body }).catch(() => null);
  return response?.ok === true && !response.redirected;
};

const loadScript = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    if (window.Stripe) return resolve();
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error("Stripe.js was not loaded"));
    document.head.append(script);
  });
