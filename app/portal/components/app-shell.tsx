import { Form, useLocation, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import type { RootData } from "../root-data.ts";
import { ButtonLink, Link } from "./button.tsx";
import { accountDestinations, type Destination, documentation, isWithin, mainDestinations } from "./destinations.ts";
import { DisputeBanner } from "./dispute-banner.tsx";
import { Icon } from "./icon.tsx";
import { Logo } from "./logo.tsx";
import { Palette } from "./palette/palette.tsx";
import { PastDueBanner } from "./past-due-banner.tsx";
import { Toasts } from "./toasts.tsx";
import { UnverifiedNotice } from "./unverified-notice.tsx";

type Props = RootData & { children: ReactNode };

/** The frame around every page: top bar, notices and footer. */
export const AppShell = ({
  account,
  pastDue,
  disputed,
  unreadAlerts,
  basketCount,
  testMode,
  theme,
  singleKeys,
  toast,
  children,
}: Props) => (
  <div className="flex min-h-dvh flex-col">
    <a
      href="#main"
      className="sr-only rounded-b-lg bg-surface px-4 py-3 font-semibold text-accent text-sm focus:not-sr-only focus:absolute focus:top-0 focus:left-4 focus:z-30"
    >
      Skip to content
    </a>
    <NavigationProgress />
    <TopBar account={account} unreadAlerts={unreadAlerts} basketCount={basketCount} singleKeys={singleKeys} />
    {testMode ? <TestModeBanner /> : null}
    <Toasts toast={toast} />
    {disputed ? <DisputeBanner disputed={disputed} /> : null}
    {pastDue ? <PastDueBanner pastDue={pastDue} /> : null}
    {account && !account.isEmailVerified ? <UnverifiedNotice email={account.email} /> : null}
    <main
      id="main"
      ref={useFocusOnNavigation()}
      tabIndex={-1}
      className={`${page} flex-1 py-6 focus:outline-none sm:py-9`}
    >
      {children}
    </main>
    <Footer testMode={testMode} theme={theme} />
    <span id={pageEndId} hidden />
  </div>
);

/**
 * After a navigation the link that had the focus is gone, so the focus moves to the new content, or to the element
 * that the hash names.
 */
const useFocusOnNavigation = () => {
  const main = useRef<HTMLElement>(null);
  const { key, hash } = useLocation();
  const previousKey = useRef(key);
  useEffect(() => {
    if (previousKey.current === key) return;
    previousKey.current = key;
    const target = hash === "" ? null : document.getElementById(hash.slice(1));
    if (target) target.focus({ preventScroll: true });
    else if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [key, hash]);
  return main;
};

const page = "mx-auto w-full max-w-[76rem] px-4 sm:px-6 lg:px-8";

const TopBar = ({
  account,
  unreadAlerts,
  basketCount,
  singleKeys,
}: Pick<RootData, "account" | "unreadAlerts" | "basketCount" | "singleKeys">) => {
  const basket = { to: "/basket", label: `Basket (${basketCount})`, icon: "layers" as const };
  const destinations = mainDestinations(account, unreadAlerts);
  const { pathname } = useLocation();
  return (
    <header className="no-print relative z-10 border-helm-line border-b bg-helm text-on-helm">
      <div className={`${page} flex min-h-15 items-center gap-6`}>
        <Link
          to="/"
          className="rounded-lg focus-visible:outline-helm-accent"
          aria-label="SRDS, Shipping Route Data Service: home"
        >
          <Logo short={account !== null} />
        </Link>
        <nav aria-label="Main" className="hidden self-stretch lg:block">
          <ul className="flex h-full gap-1">
            {destinations.map((destination) => (
              <li key={destination.to}>
                <Link
                  to={destination.to}
                  prefetch="intent"
                  aria-current={currentIn(pathname, destination)}
                  className="helm-link"
                >
                  {destination.label}
                  <Unread count={destination.unread} />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto">
          <Palette account={account} singleKeys={singleKeys} />
        </div>
        <div className="-ml-4 hidden items-center gap-2 self-stretch lg:flex">
          {basketCount > 0 ? (
            <Link to={basket.to} aria-current={currentIn(pathname, basket)} className="helm-link">
              {basket.label}
            </Link>
          ) : null}
          <Link
            to={documentation.to}
            prefetch="intent"
            aria-current={currentIn(pathname, documentation)}
            className="helm-link"
          >
            {documentation.label}
          </Link>
          {account ? <AccountMenu account={account} /> : <SignIn pathname={pathname} />}
        </div>
        <PhoneMenu
          account={account}
          destinations={[...destinations, ...(basketCount > 0 ? [basket] : []), documentation]}
        />
      </div>
    </header>
  );
};

const currentIn = (pathname: string, destination: Pick<Destination, "to" | "also">): "page" | undefined =>
  isWithin(pathname, destination) ? "page" : undefined;

const mostUnreadShown = 99;

const Unread = ({ count = 0 }: { count?: number | undefined }) =>
  count === 0 ? null : (
    <span className="ml-1.5 rounded-full bg-accent-fill px-1.5 font-semibold text-on-accent text-xs leading-5 tabular-nums forced-colors:outline">
      {count > mostUnreadShown ? `${mostUnreadShown}+` : count}
      <span className="sr-only"> new {count === 1 ? "alert" : "alerts"}</span>
    </span>
  );

const SignIn = ({ pathname }: { pathname: string }) => (
  <>
    <Link to="/sign-in" aria-current={currentIn(pathname, { to: "/sign-in" })} className="helm-link">
      Sign in
    </Link>
    <ButtonLink to="/register" variant="primary" size="small">
      Create account
    </ButtonLink>
  </>
);

type Account = NonNullable<RootData["account"]>;

/**
 * The menus are popovers: the browser closes them on Escape and on a click outside, and returns the focus, also without
 * scripts. React's types do not know the attributes yet.
 */
const menu: object = { popover: "auto" };
const opens = (id: string): object => ({ popovertarget: id });

/** The key closes it on navigation. */
const AccountMenu = ({ account }: { account: Account }) => (
  <div className="group flex items-center">
    <button type="button" {...opens("account-menu")} className="helm-button">
      <span
        className="grid size-7 place-items-center rounded-full bg-helm-raised font-semibold text-helm-accent text-xs uppercase group-hover:bg-helm-line"
        aria-hidden="true"
      >
        {account.username.slice(0, 2)}
      </span>
      <span className="max-w-40 truncate">{account.username}</span>
      <Icon
        name="chevron-down"
        className="size-4 text-on-helm-muted transition-transform group-has-[:popover-open]:rotate-180"
      />
    </button>
    <div
      key={useLocation().key}
      id="account-menu"
      {...menu}
      className="helm-menu top-14 right-[max(2rem,(100%-72rem)/2)] left-auto w-64 rounded-xl border text-sm"
    >
      <p className="border-line border-b px-4 py-3">
        <span className="block truncate font-semibold">{account.username}</span>
        <span className="block truncate text-muted">{account.email}</span>
      </p>
      <AccountItems />
    </div>
  </div>
);

const AccountItems = () => (
  <ul className="lg:p-1.5">
    {accountDestinations.map(({ to, icon, label }) => (
      <li key={to}>
        <Link to={to} className="menu-item">
          <Icon name={icon} className="size-5 text-muted" />
          {label}
        </Link>
      </li>
    ))}
    <li>
      <Form method="post" action="/sign-out">
        <button type="submit" className="menu-item">
          <Icon name="logout" className="size-5 text-muted" />
          Sign out
        </button>
      </Form>
    </li>
  </ul>
);

const PhoneMenu = ({ account, destinations }: Pick<RootData, "account"> & { destinations: readonly Destination[] }) => {
  const { key, pathname } = useLocation();
  return (
    <div className="group -ml-5 lg:hidden">
      <button type="button" {...opens("phone-menu")} className="helm-button -mr-2">
        <Icon name="menu" className="size-5 group-has-[:popover-open]:hidden" />
        <Icon name="x" className="hidden size-5 group-has-[:popover-open]:block" />
        Menu
      </button>
      <div
        key={key}
        id="phone-menu"
        {...menu}
        className="helm-menu inset-x-0 top-15 w-full max-w-none border-b lg:hidden"
      >
        <nav aria-label="Main, small screens">
          <ul className="p-2">
            {destinations.map((destination) => (
              <li key={destination.to}>
                <Link to={destination.to} aria-current={currentIn(pathname, destination)} className="menu-item">
                  <Icon name={destination.icon} className="size-5 text-muted" />
                  {destination.label}
                  <Unread count={destination.unread} />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="border-line border-t p-2">
          {account ? (
            <>
              <p className="truncate px-3 pt-2 pb-1 text-muted text-sm">Signed in as {account.email}</p>
              <AccountItems />
            </>
          ) : (
            <div className="grid gap-2 p-2">
              <ButtonLink to="/register" variant="primary">
                Create account
              </ButtonLink>
              <ButtonLink to="/sign-in">Sign in</ButtonLink>
            </div>
          )}
        </div>
      </div>
    </div>
  );
};

const TestModeBanner = () => (
  <aside aria-label="Test mode" className="no-print border-warning-line border-b bg-warning-soft text-sm text-warning">
    <p className={`${page} flex items-center gap-2 whitespace-nowrap py-2 max-sm:text-[0.8125rem] max-sm:leading-5`}>
      <Icon name="info" className="size-4 max-sm:hidden" />
      <span className="max-sm:hidden">
        <strong className="font-semibold">Test mode:</strong> no card is charged.
      </span>
      <span className="font-semibold sm:hidden">No card is charged.</span>
      <span className="ml-auto flex gap-3 font-medium sm:gap-4">
        <Link to="/test-mode/mailbox" className="underline underline-offset-3 hover:decoration-2">
          Mailbox
        </Link>
        <Link to="/test-mode/time-machine" className="underline underline-offset-3 hover:decoration-2">
          Time machine
        </Link>
      </span>
    </p>
  </aside>
);

/** The last element of every page, after all that is shown. */
export const pageEndId = "page-end";

const Footer = ({ testMode, theme }: Pick<RootData, "testMode" | "theme">) => (
  <footer className="no-print border-line border-t text-[0.8125rem] text-muted">
    <div className={`${page} flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-5`}>
      <p>{testMode ? "Demo data, not for navigation." : "Not for navigation."}</p>
      <nav aria-label="Footer">
        <ul className="flex flex-wrap gap-x-5 gap-y-1">
          {footerLinks.map(([label, to]) => (
            <li key={to}>
              <Link to={to} className="footer-item">
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <ThemeChoice chosen={theme} />
    </div>
  </footer>
);

const footerLinks = [
  ["API documentation", "/docs"],
  ["Plans", "/plans"],
  ["Status", "/status"],
  ["Support", "/support"],
  ["Terms", "/terms"],
  ["Privacy", "/privacy"],
] as const;

const ThemeChoice = ({ chosen = "system" }: { chosen: RootData["theme"] | "system" }) => (
  <Form method="post" action="/theme" preventScrollReset aria-label="Theme" className="flex items-center gap-x-4">
    Theme
    {themes.map(([theme, label]) => (
      <button
        key={theme}
        type="submit"
        name="theme"
        value={theme}
        aria-pressed={theme === chosen}
        className="footer-item"
      >
        {label}
      </button>
    ))}
  </Form>
);

const themes = [
  ["system", "Match system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

const NavigationProgress = () =>
  useNavigation().state === "idle" ? null : (
    <div
      className="fixed inset-x-0 top-0 z-30 h-0.5 overflow-hidden bg-transparent"
      role="progressbar"
      aria-label="Loading"
    >
      <div className="navigating h-full w-2/5 bg-helm-accent" />
    </div>
  );
