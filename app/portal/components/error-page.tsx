import { Form, Link, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { Button, ButtonLink } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

type Props = {
  /** `offline`: the request got no response. */
  status: number | "offline";
  /** Shown so that visitors can quote it to support. */
  requestId?: string | undefined;
};

/** Shown in place of a page that failed: what went wrong, and what to do next. */
export const ErrorPage = ({ status, requestId }: Props) => {
  const { icon, title, text, nextSteps } = wordsFor(status);
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center py-12 text-center sm:py-20">
      <span className="grid size-16 place-items-center rounded-2xl border border-line bg-surface text-accent shadow-card">
        <Icon name={icon} className="size-8" />
      </span>
      {status === "offline" ? null : <p className="mt-6 font-medium text-faint text-sm tabular-nums">Error {status}</p>}
      <h1 className={`font-semibold text-2xl text-ink tracking-tight ${status === "offline" ? "mt-6" : "mt-1"}`}>
        {title}
      </h1>
      <p className="mt-2 text-pretty text-muted">{text}</p>
      {requestId ? <RequestId id={requestId} /> : null}
      {status === 404 ? <Search /> : null}
      <div className="mt-7 flex flex-wrap justify-center gap-2.5">
        {nextSteps.includes("start") ? <ButtonLink to="/">Start page</ButtonLink> : null}
        {nextSteps.includes("subscriptions") ? <ButtonLink to="/subscriptions">Your subscriptions</ButtonLink> : null}
        {nextSteps.includes("routes") ? (
          <ButtonLink to="/routes" variant="primary">
            Browse routes
          </ButtonLink>
        ) : null}
        {nextSteps.includes("again") ? <TryAgain byItself={status === "offline"} /> : null}
      </div>
      <p className="mt-5 text-muted text-sm">
        <Link
          to={requestId ? `/support/new?${new URLSearchParams({ request_id: requestId })}` : "/support"}
          className="link"
        >
          Contact support
        </Link>
      </p>
    </div>
  );
};

const RequestId = ({ id }: { id: string }) => (
  <p className="mt-4 rounded-lg border border-line bg-sunken px-3 py-1.5 text-muted text-sm">
    Request id <code className="select-all break-all font-mono text-ink">{id}</code>
  </p>
);

const Search = () => (
  <Form method="get" action="/routes" role="search" className="mt-6 flex w-full max-w-sm gap-2.5">
    <label htmlFor="q" className="sr-only">
      Search routes
    </label>
    <input id="q" name="q" type="search" placeholder="Port, carrier or code" className="control min-w-0 flex-1" />
    <Button icon="search">Search</Button>
  </Form>
);

/** Reloads the page's data in place; `byItself` does so as soon as the connection is back. */
const TryAgain = ({ byItself }: { byItself: boolean }) => {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!byItself) return;
    window.addEventListener("online", revalidate);
    return () => window.removeEventListener("online", revalidate);
  }, [byItself, revalidate]);
  return (
    // Without scripts the form reloads the page.
    <form
      method="get"
      onSubmit={(event) => {
        event.preventDefault();
        revalidate();
      }}
    >
      <Button variant="primary" icon="refresh" pending={state === "loading"}>
        Try again
      </Button>
    </form>
  );
};

type NextStep = "start" | "routes" | "subscriptions" | "again";
type Words = { icon: IconName; title: string; text: string; nextSteps: readonly NextStep[] };

const wordsFor = (status: Props["status"]): Words => {
  if (status === "offline") {
    return {
      icon: "globe",
      title: "No connection",
      text: "The page could not be fetched. Check your connection; it is tried again as soon as there is one.",
      nextSteps: ["again"],
    };
  }
  const known = words[status];
  if (known) return known;
  return status >= 400 && status < 500
    ? {
        icon: "info",
        title: "That did not work",
        text: "The request could not be handled as it was sent.",
        nextSteps: ["start", "routes"],
      }
    : {
        icon: "alert-triangle",
        title: "Something broke on our side",
        text: "The fault has been recorded. Try again; if it stays, tell support the request id.",
        nextSteps: ["start", "again"],
      };
};

const words: Record<number, Words> = {
  403: {
    icon: "lock",
    title: "This is not open to your account",
    text: "It needs an active subscription, or an account in good standing. Your subscriptions say which routes are open to you.",
    nextSteps: ["subscriptions", "routes"],
  },
  404: {
    icon: "anchor",
    title: "Nothing is moored here",
    text: "The address may be mistyped, or the page has moved. The route catalogue is a good place to start again.",
    nextSteps: ["start", "routes"],
  },
  429: {
    icon: "clock",
    title: "Too many requests",
    text: "Please wait a moment, then try again. Nothing of yours is lost.",
    nextSteps: ["start", "again"],
  },
  503: {
    icon: "clock",
    title: "The service is briefly unavailable",
    text: "Nothing of yours is lost. Please try again in a minute.",
    nextSteps: ["start", "again"],
  },
};
