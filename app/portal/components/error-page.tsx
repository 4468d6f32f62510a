import { Link } from "@remix-run/react";
import { ButtonLink } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

type Props = {
  status: number;
  /** For 500 and the like: what support asks for. */
  requestId?: string | undefined;
};

/** What stands in a page's place when it cannot be shown. */
export const ErrorPage = ({ status, requestId }: Props) => {
  const { icon, title, text } = wordsFor(status);
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center py-12 text-center sm:py-20">
      <span className="grid size-16 place-items-center rounded-2xl border border-line bg-surface text-accent shadow-card">
        <Icon name={icon} className="size-8" />
      </span>
      <p className="mt-6 font-medium text-faint text-sm tabular-nums">Error {status}</p>
      <h1 className="mt-1 font-semibold text-2xl text-ink tracking-tight">{title}</h1>
      <p className="mt-2 text-pretty text-muted">{text}</p>
      {requestId ? (
        <p className="mt-4 rounded-lg border border-line bg-sunken px-3 py-1.5 text-muted text-sm">
          Request id <code className="select-all font-mono text-ink">{requestId}</code>
        </p>
      ) : null}
      <div className="mt-7 flex flex-wrap justify-center gap-2.5">
        <ButtonLink to="/">Start page</ButtonLink>
        <ButtonLink to="/routes" variant="primary">
          Browse routes
        </ButtonLink>
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

const wordsFor = (status: number): { icon: IconName; title: string; text: string } => {
  if (status === 403) {
    return {
      icon: "lock",
      title: "This is not open to your account",
      text: "It needs an active subscription, or an account in good standing. Your subscriptions say which routes are open to you.",
    };
  }
  if (status === 404) {
    return {
      icon: "anchor",
      title: "Nothing is moored here",
      text: "The address may be mistyped, or the page has moved. The route catalogue is a good place to start again.",
    };
  }
  if (status === 429) {
    return { icon: "clock", title: "Too many requests", text: "Please wait a moment, then try again." };
  }
  if (status === 503) {
    return {
      icon: "clock",
      title: "The service is briefly unavailable",
      text: "Nothing of yours is lost. Please try again in a minute.",
    };
  }
  if (status >= 400 && status < 500) {
    return { icon: "info", title: "That did not work", text: "The request could not be handled as it was sent." };
  }
  return {
    icon: "alert-triangle",
    title: "Something broke on our side",
    text: "The fault has been recorded. Try again; if it stays, tell support the request id.",
  };
};
