/** The portal's session: authenticated by its cookie only, never by a bearer token. @spec Authentication */
import { redirect } from "@remix-run/node";
import { getContext } from "../context.server.ts";
import type { Caller, OperatorCaller, SessionProof } from "../domain/accounts/caller.ts";
import type { Origin } from "../domain/accounts/lucia.server.ts";
import { admitOperator } from "../domain/accounts/operators.server.ts";
import { closeSession, type OpenSession, recognise } from "../domain/accounts/session.server.ts";
import type { Context } from "../domain/context.ts";
import { SecondFactorRequired } from "../domain/errors.ts";
import { accessToRoutes } from "../domain/subscriptions/route-access.server.ts";
import { cameOverHttp, clientAddress } from "../platform/forwarded.ts";
import { foreignHost, isForeignHost } from "../platform/own-host.ts";
import { logSecurityEvent } from "../platform/security-events.ts";
import { noteAccount, noteOwnPage } from "./cache-control.server.ts";
import { longestCookieSeconds, portalCookie } from "./cookie.server.ts";
import { orErrorResponse } from "./error-response.server.ts";

export type Visit = { ctx: Context; caller: Caller<SessionProof> | null; origin: Origin };
export type Member = Visit & { caller: Caller<SessionProof> };

export type Operator = Visit & { caller: OperatorCaller };

/** The arguments of loaders and actions that a visit needs. */
export type Incoming = { request: Request; context: { remoteAddress?: unknown } };

// The database decides when the session expires.
const sessionCookie = () => portalCookie("srds_session", { maxAge: longestCookieSeconds });

/**
 * Marks a browser as known to an account. It grants no access; its failed sign-ins are counted separately. As for the
 * session, the database decides when it expires.
 */
const deviceCookie = () => portalCookie("srds_device", { maxAge: longestCookieSeconds });

/**
 * The loaders of a page share one visit, so that its session is looked up once. Actions do not share theirs: what they
 * change must be seen by the loaders that run after them.
 *
 * @throws a redirect if the request came over plain HTTP in production, and 421 if a page of another site may have sent it
 *   (test mode), before anything is done
 */
export const visit = (incoming: Incoming): Promise<Visit> => {
  const { request, context } = incoming;
  if (request.method !== "GET" && request.method !== "HEAD") return identify(incoming);
  const visit = visits.get(context) ?? identify(incoming);
  visits.set(context, visit);
  return visit;
};

/** By the context of Remix, of which each request has its own. */
const visits = new WeakMap<Incoming["context"], Promise<Visit>>();

const identify = async ({ request, context }: Incoming): Promise<Visit> => {
  const ctx = await getContext();
  const { settings } = ctx;
  const header = (name: string) => request.headers.get(name);
  if (isForeignHost(header, settings)) throw new Response(foreignHost, { status: 421 });
  if (settings.requireHttps && cameOverHttp(header, settings.trustedProxies)) throw overHttps(request, settings.appUrl);
  const cookies = header("cookie");
  const token: unknown = await (await sessionCookie()).parse(cookies);
  const deviceToken: unknown = await (await deviceCookie()).parse(cookies);
  const socketAddress = typeof context.remoteAddress === "string" ? context.remoteAddress : undefined;
  const caller = typeof token === "string" ? await recognise(ctx, token, "portal") : null;
  if (caller) noteAccount(context);
  return {
    ctx,
    caller,
    origin: {
      ipAddress: clientAddress(socketAddress, header("x-forwarded-for"), settings.trustedProxies),
      userAgent: header("user-agent"),
      deviceToken: typeof deviceToken === "string" ? deviceToken : null,
    },
  };
};

/** Redirects to the same path at APP_URL over HTTPS, with the same method, whatever host the request names. */
const overHttps = (request: Request, appUrl: string): Response => {
  const { pathname, search } = new URL(request.url);
  const url = new URL(appUrl);
  url.protocol = "https:";
  url.pathname = pathname;
  url.search = search;
  return redirect(url.href, 308);
};

/** For pages of an account: visitors sign in first and return afterwards. */
export const visitOfMember = async (incoming: Incoming): Promise<Member> => {
  noteOwnPage(incoming.context);
  const { caller, ...rest } = await visit(incoming);
  if (!caller) throw toSignIn(pathOf(incoming));
  return { ...rest, caller };
};

const pathOf = ({ request }: Incoming): string => {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
};

/** @param next of this site */
export const toSignIn = (next: string): Response => redirect(`/sign-in?${new URLSearchParams({ next })}`);

/**
 * For pages and files with a route's data: visitors may read samples, and sign in first for every other route.
 *
 * @param next where to return after signing in; by default the same page
 */
export const visitOfReader = async (incoming: Incoming, routeId: number, next?: string): Promise<Visit> => {
  const { caller, ...rest } = await visit(incoming);
  if (caller) noteOwnPage(incoming.context);
  if (!caller && !(await accessToRoutes(rest.ctx, null, [routeId])).get(routeId)?.hasAccess) {
    throw toSignIn(next ?? pathOf(incoming));
  }
  return { ...rest, caller };
};

/** For forms that visitors may begin: they register or sign in, and return. @param path of this site */
export const toRegistration = (path: string, headers: HeadersInit = {}): Response =>
  redirect(`/register?${new URLSearchParams({ next: path })}`, { headers });

/** For operators' pages: other accounts get 404, and operators without a second factor are asked to set it up. */
export const visitOfOperator = async (incoming: Incoming): Promise<Operator> => {
  const { caller, ...rest } = await visitOfMember(incoming);
  if (caller.account.role !== "operator")
    logSecurityEvent("access.refused", caller.account.id, { endpoint: "/operations" });
  const admitted = admitOperator(rest.ctx, caller).catch((error) => {
    if (error instanceof SecondFactorRequired) throw redirect("/account/security/two-factor?for=operations");
    throw error;
  });
  return { ...rest, caller: await orErrorResponse(admitted) };
};

/**
 * The only place that sets the session cookie. Closes the browser's previous session, which nobody could use any more, and
 * deletes what its pages have stored, unless it was the same account's.
 */
export const signedIn = async ({ ctx, caller }: Visit, session: OpenSession, next: string): Promise<Response> => {
  if (caller) await closeSession(ctx, caller);
  const headers = new Headers({ "Set-Cookie": await (await sessionCookie()).serialize(session.token) });
  if (session.deviceToken) headers.append("Set-Cookie", await saveDevice(session.deviceToken));
  if (caller?.account.id !== session.account.id) headers.set("Clear-Site-Data", storage);
  return redirect(safePath(next), { headers });
};

/** After a password reset: closes this browser's session, of whichever account, and redirects to the sign-in. */
export const wasReset = async ({ ctx, caller }: Visit, deviceToken: string): Promise<Response> => {
  if (caller) await closeSession(ctx, caller);
  const headers = new Headers({ "Set-Cookie": await clearSession() });
  headers.append("Set-Cookie", await saveDevice(deviceToken));
  headers.set("Clear-Site-Data", storage);
  return redirect("/sign-in?password=new", { headers });
};

/**
 * Browsers delete what pages have stored, such as an API key that was shown in this tab. The cache holds nothing private, and
 * Chromium takes seconds to search a large one. Cookies stay: those of the theme, the basket and the known device are not
 * the account's.
 */
export const signedOut = async (): Promise<Response> =>
  redirect("/", { headers: { "Set-Cookie": await clearSession(), "Clear-Site-Data": storage } });

const storage = '"storage"';

/** The values of `Set-Cookie` headers. */
const clearSession = async (): Promise<string> => (await sessionCookie()).serialize("", { maxAge: 0 });
const saveDevice = async (token: string): Promise<string> => (await deviceCookie()).serialize(token);

const home = "/";
const anySite = "http://site.invalid";

/**
 * Prevents open redirects: always a path of this site, parsed as browsers do. They ignore tabs and line ends, read a
 * backslash as a slash, and `//` as another host.
 */
export const safePath = (next: string | null | undefined): string => {
  if (!next?.startsWith("/") || !URL.canParse(next, anySite)) return home;
  const { origin, pathname, search, hash } = new URL(next, anySite);
  if (origin !== anySite || pathname.startsWith("//") || pathname.startsWith("/sign-")) return home;
  return pathname + search + hash;
};

/** The path of one of the site's own URLs, so that the host stays the one it was opened with; else the home page. */
export const ownPathOf = (address: string, appUrl: string): string => {
  const { origin, pathname, search } = new URL(address);
  return origin === new URL(appUrl).origin ? safePath(pathname + search) : home;
};
