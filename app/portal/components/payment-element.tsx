import { type FormEvent, useEffect, useRef, useState } from "react";
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
};

/** The part of Stripe.js used here. */
type StripeJs = {
  elements(options: { clientSecret: string }): { create(type: "payment"): { mount(at: HTMLElement): void } };
  confirmPayment(options: {
    elements: ReturnType<StripeJs["elements"]>;
    confirmParams: { return_url: string };
  }): Promise<{ error?: { message?: string } }>;
  confirmSetup: StripeJs["confirmPayment"];
};

declare global {
  interface Window {
    Stripe?: (publishableKey: string) => StripeJs;
  }
}

/** Stripe's Payment Element: card numbers go straight to Stripe, never through the service. Needs scripts. */
export const PaymentElement = ({ publishableKey, clientSecret, scriptUrl, returnUrl, amountCents }: Props) => {
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

  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready || pending) return;
    setPending(true);
    setError(null);
    const { stripe, elements } = ready;
    const confirmation = { elements, confirmParams: { return_url: returnUrl } };
    const { error } = await (amountCents === null
      ? stripe.confirmSetup(confirmation)
      : stripe.confirmPayment(confirmation));
    setError(error?.message ?? (amountCents === null ? "The card was not saved" : "The payment did not go through"));
    setPending(false);
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
        <Alert tone="warning">Stripe's payment form needs JavaScript.</Alert>
      </noscript>
      <Button variant="primary" icon="lock" pending={pending} disabled={!ready}>
        {amountCents === null ? "Save card" : `Pay ${formatMoney(amountCents)}`}
      </Button>
    </form>
  );
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
