import { data, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { getContext } from "./context.server.ts";
import type { Account } from "./domain/accounts/caller.ts";
import { failureOf } from "./domain/failure.ts";
import { readBasket } from "./portal/basket.server.ts";
import { AppShell, pageEndId } from "./portal/components/app-shell.tsx";
import { ErrorPage } from "./portal/components/error-page.tsx";
import interUrl from "./portal/fonts/inter-latin.woff2?url";
import { currentLocale } from "./portal/locale.ts";
import { noticesOfPage } from "./portal/notices.server.ts";
import { requestIdMeta, useFailedRequestId, useNonce } from "./portal/response-context.ts";
import type { RootData } from "./portal/root-data.ts";
import { type Visit, visit } from "./portal/session.server.ts";
import { singleKeysOf } from "./portal/shortcuts.server.ts";
import { themeOf } from "./portal/theme.server.ts";
import { takeToast } from "./portal/toast.server.ts";
import stylesUrl from "./styles.css?url";

export const links: LinksFunction = () => [
  { rel: "preload", href: interUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: stylesUrl },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOrStatus(args);
  const theme = await themeOf(args.request);
  const { toast, headers } = await takeToast(args.request);
  const { pastDue, disputes, unreadAlerts } = caller
    ? await noticesOfPage(ctx, caller)
    : { pastDue: [], disputes: [], unreadAlerts: 0 };
  const known: RootData = {
    account: caller && shownOf(caller.account),
    pastDue: pastDue[0] ? { count: pastDue.length, first: pastDue[0] } : null,
    disputed: disputes[0]
      ? { count: disputes.length, first: disputes[0], isSuspended: caller?.account.standing === "suspended" }
      : null,
    unreadAlerts,
    basketCount: (await readBasket(args.request)).items.length,
    testMode: ctx.settings.testMode,
    theme: theme === "system" ? undefined : theme,
    singleKeys: await singleKeysOf(args.request),
    toast,
  };
  return data(known, { headers });
};

/** The status page is for times when the database is unavailable; nobody is signed in then. */
const visitOrStatus = async (args: LoaderFunctionArgs): Promise<Pick<Visit, "ctx" | "caller">> => {
  try {
    return await visit(args);
  } catch (error) {
    const isStatusPage = new URL(args.request.url).pathname === "/status";
    if (!isStatusPage || !failureOf(error).kind.startsWith("database_")) throw error;
    return { ctx: await getContext(), caller: null };
  }
};

const shownOf = ({ username, email, emailVerifiedAt, role }: Account): RootData["account"] => ({
  username,
  email,
  isEmailVerified: emailVerifiedAt !== null,
  role,
});

const siteName = "Shipping Route Data Service";

/** Default title for pages without their own; an error page gets the status as its title. */
export const meta: MetaFunction = ({ error }) => [
  { title: error === undefined ? siteName : `${nameOf(describeError(error).status)} · ${siteName}` },
];

const nameOf = (status: number | "offline"): string => (status === "offline" ? "No connection" : `Error ${status}`);

/** The HTML document, for pages and error pages. It must also render without the root loader's data. */
export const Layout = ({ children }: { children: ReactNode }) => {
  const nonce = useNonce();
  const theme = useRouteLoaderData<RootData>("root")?.theme;
  const failed = useRouteError() !== undefined;
  const requestId = useFailedRequestId();
  return (
    <html lang={currentLocale()} data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#0b1f33" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0a1624" />
        <meta name="color-scheme" content="light dark" />
        {failed && requestId ? <meta name={requestIdMeta} content={requestId} /> : null}
        <Meta />
        <Links />
        {/* Paints the page once it has all arrived. A half-parsed one is laid out otherwise, and shifts. */}
        <link rel="expect" href={`#${pageEndId}`} blocking="render" />
      </head>
      <body>
        {children}
        <ScrollRestoration {...nonce} />
        <Scripts {...nonce} />
      </body>
    </html>
  );
};

const Root = () => (
  <AppShell {...useLoaderData<RootData>()}>
    <Outlet />
  </AppShell>
);

export default Root;

export const ErrorBoundary = () => {
  const error = useRouteError();
  const data = useRouteLoaderData<RootData>("root");
  const documentRequestId = useFailedRequestId();
  const { status, requestId } = describeError(error);
  return (
    <AppShell
      account={data?.account ?? null}
      pastDue={data?.pastDue ?? null}
      disputed={data?.disputed ?? null}
      unreadAlerts={data?.unreadAlerts ?? 0}
      basketCount={data?.basketCount ?? 0}
      testMode={data?.testMode ?? false}
      theme={data?.theme}
      singleKeys={data?.singleKeys ?? false}
    >
      <ErrorPage
        status={status}
        requestId={requestId ?? (typeof status === "number" && status >= 500 ? documentRequestId : undefined)}
      />
    </AppShell>
  );
};

/** A thrown Response has a status and maybe a `request_id` in its body. Any other error is a 500. */
const describeError = (error: unknown): { status: number | "offline"; requestId: string | undefined } => {
  if (isNetworkError(error)) return { status: "offline", requestId: undefined };
  if (!isRouteErrorResponse(error)) return { status: 500, requestId: requestIdIn(error) };
  return { status: error.status, requestId: requestIdIn(error.data) };
};

/**
 * A failed fetch is a TypeError in every browser, but the message differs. Checked in the browser only: on the server a
 * TypeError is a bug.
 */
const isNetworkError = (error: unknown): boolean =>
  typeof document !== "undefined" &&
  error instanceof TypeError &&
  (!navigator.onLine || /fetch|network|load failed/i.test(error.message));

const requestIdIn = (value: unknown): string | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  const id = "request_id" in value ? value.request_id : "requestId" in value ? value.requestId : undefined;
  return typeof id === "string" ? id : undefined;
};
