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
        {nextSteps.includes("start") ? <ButtonLink to="/">Home page</ButtonLink> : null}
        {nextSteps.includes("subscriptions") ? <ButtonLink to="/subscriptions">Your subscriptions</ButtonLink> : null}
        {nextSteps.includes("routes") ? (
          <ButtonLink to="/routes" variant="primary">
            Browse routes
          </ButtonLink>
        ) : null}
        {nextSteps.includes("again") ? <TryAgain byItself={status === "offline"} /> : null}
      </div>
      <p className="mt-5 flex gap-5 text-sm">
        {status === "offline" || status < 500 ? null : (
          <Link to="/status" className="link">
            Service status
          </Link>
        )}
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
    Request ID <code className="select-all break-all font-mono text-ink">{id}</code>
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
      text: "We try again as soon as you are back online.",
      nextSteps: ["again"],
    };
  }
  const known = words[status];
  if (known) return known;
  return status >= 400 && status < 500
    ? {
        icon: "info",
        title: "We could not handle this request",
        text: "The address or form is incomplete.",
        nextSteps: ["start", "routes"],
      }
    : {
        icon: "alert-triangle",
        title: "Something went wrong on our side",
        text: "We have recorded the error. Try again in a minute. If it happens again, send the request ID to support.",
        nextSteps: ["start", "again"],
      };
};

const words: Record<number, Words> = {
  403: {
    icon: "lock",
    title: "You do not have access to this page",
    text: "It needs an active subscription and an account in good standing.",
    nextSteps: ["subscriptions", "routes"],
  },
  404: {
    icon: "search",
    title: "Page not found",
    text: "Check the address, or search for a route.",
    nextSteps: ["start", "routes"],
  },
  429: {
    icon: "clock",
    title: "Too many requests",
    text: "Wait a moment, then try again.",
    nextSteps: ["start", "again"],
  },
  503: {
    icon: "clock",
    title: "The service is temporarily unavailable",
    text: "Try again in a minute. If you were paying or saving, first check whether it was done.",
    nextSteps: ["again"],
  },
};
