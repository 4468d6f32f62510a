import { Form, Link, NavLink, useLocation, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import type { RootData } from "../root-data.ts";
import { ButtonLink } from "./button.tsx";
import { accountDestinations, type Destination, documentation, isWithin, mainDestinations } from "./destinations.ts";
import { Icon } from "./icon.tsx";
import { Logo } from "./logo.tsx";
import { Palette } from "./palette/palette.tsx";
import { Toasts } from "./toasts.tsx";
import { UnverifiedNotice } from "./unverified-notice.tsx";

type Props = Pick<RootData, "account" | "basketCount" | "testMode" | "singleKeys" | "toast"> & { children: ReactNode };

/** The frame around every page: top bar, notices and footer. */
export const AppShell = ({ account, basketCount, testMode, singleKeys, toast, children }: Props) => (
  <div className="flex min-h-dvh flex-col">
    <a
      href="#main"
      className="sr-only rounded-b-lg bg-surface px-4 py-3 font-semibold text-accent text-sm focus:not-sr-only focus:absolute focus:top-0 focus:left-4 focus:z-30"
    >
      Skip to content
    </a>
    <NavigationProgress />
    <TopBar account={account} basketCount={basketCount} singleKeys={singleKeys} />
    {testMode ? <TestModeBanner /> : null}
    <Toasts toast={toast} />
    {account && !account.isEmailVerified ? <UnverifiedNotice email={account.email} /> : null}
    <main
      id="main"
      ref={useFocusOnNavigation()}
      tabIndex={-1}
      className={`${page} flex-1 py-6 focus:outline-none sm:py-9`}
    >
      {children}
    </main>
    <Footer testMode={testMode} />
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

const TopBar = ({ account, basketCount, singleKeys }: Pick<RootData, "account" | "basketCount" | "singleKeys">) => {
  const basket = { to: "/basket", label: `Basket (${basketCount})`, icon: "layers" as const };
  const destinations = mainDestinations(account);
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
                  aria-current={isWithin(pathname, destination) ? "page" : undefined}
                  className={topBarLink}
                >
                  {destination.label}
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
            <NavLink to={basket.to} className={topBarLink}>
              {basket.label}
            </NavLink>
          ) : null}
          <NavLink to={documentation.to} prefetch="intent" className={topBarLink}>
            {documentation.label}
          </NavLink>
          {account ? <AccountMenu account={account} /> : <SignIn />}
        </div>
        <PhoneMenu
          account={account}
          destinations={[...destinations, ...(basketCount > 0 ? [basket] : []), documentation]}
        />
      </div>
    </header>
  );
};

const topBarLink =
  "relative flex h-full items-center whitespace-nowrap px-3 font-medium text-on-helm-muted text-sm transition-colors hover:text-on-helm focus-visible:-outline-offset-4 focus-visible:outline-helm-accent aria-[current=page]:text-on-helm aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-3 aria-[current=page]:after:bottom-0 aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-helm-accent aria-[current=page]:after:content-[''] forced-colors:aria-[current=page]:after:bg-[Highlight]";

const SignIn = () => (
  <>
    <NavLink to="/sign-in" className={topBarLink}>
      Sign in
    </NavLink>
    <ButtonLink to="/register" variant="primary" size="small">
      Create account
    </ButtonLink>
  </>
);

type Account = NonNullable<RootData["account"]>;

/** Works without scripts. The key closes it on navigation. */
const AccountMenu = ({ account }: { account: Account }) => (
  <details key={useLocation().key} name="helm-menu" className="group relative">
    <summary className="flex min-h-9 items-center gap-2 rounded-lg px-2 font-medium text-on-helm text-sm hover:bg-helm-raised focus-visible:outline-helm-accent">
      <span
        className="grid size-7 place-items-center rounded-full bg-helm-raised font-semibold text-helm-accent text-xs uppercase group-hover:bg-helm-line"
        aria-hidden="true"
      >
        {account.username.slice(0, 2)}
      </span>
      <span className="max-w-40 truncate">{account.username}</span>
      <Icon name="chevron-down" className="size-4 text-on-helm-muted transition-transform group-open:rotate-180" />
    </summary>
    <div className="absolute right-0 mt-2 w-64 overflow-hidden rounded-xl border border-line bg-surface text-ink text-sm shadow-float">
      <p className="border-line border-b px-4 py-3">
        <span className="block truncate font-semibold">{account.username}</span>
        <span className="block truncate text-muted">{account.email}</span>
      </p>
      <ul className="p-1.5">
        {accountDestinations.map((destination) => (
          <li key={destination.to}>
            <Link to={destination.to} className={menuItem}>
              <Icon name={destination.icon} className="size-5 text-muted" />
              {destination.label}
            </Link>
          </li>
        ))}
        <li>
          <SignOut className={menuItem} />
        </li>
      </ul>
    </div>
  </details>
);

const menuItem =
  "flex min-h-9 w-full items-center gap-2.5 rounded-lg px-2.5 font-medium hover:bg-sunken focus-visible:-outline-offset-2";

const SignOut = ({ className }: { className: string }) => (
  <Form method="post" action="/sign-out">
    <button type="submit" className={className}>
      <Icon name="logout" className="size-5 text-muted" />
      Sign out
    </button>
  </Form>
);

const PhoneMenu = ({ account, destinations }: Pick<RootData, "account"> & { destinations: readonly Destination[] }) => {
  const { key, pathname } = useLocation();
  return (
    <details key={key} className="group -ml-5 lg:hidden">
      <summary className="-mr-2 flex min-h-11 items-center gap-2 rounded-lg px-2.5 font-medium text-on-helm text-sm hover:bg-helm-raised focus-visible:outline-helm-accent">
        <Icon name="menu" className="size-5 group-open:hidden" />
        <Icon name="x" className="hidden size-5 group-open:block" />
        Menu
      </summary>
      <div className="absolute inset-x-0 top-full border-line border-b bg-surface text-ink shadow-float">
        <nav aria-label="Main, small screens">
          <ul className="p-2">
            {destinations.map((destination) => (
              <li key={destination.to}>
                <Link
                  to={destination.to}
                  aria-current={isWithin(pathname, destination) ? "page" : undefined}
                  className={phoneItem}
                >
                  <Icon name={destination.icon} className="size-5 text-muted" />
                  {destination.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="border-line border-t p-2">
          {account ? (
            <>
              <p className="truncate px-3 pt-2 pb-1 text-muted text-sm">Signed in as {account.email}</p>
              {accountDestinations.map((destination) => (
                <Link key={destination.to} to={destination.to} className={phoneItem}>
                  <Icon name={destination.icon} className="size-5 text-muted" />
                  {destination.label}
                </Link>
              ))}
              <SignOut className={phoneItem} />
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
    </details>
  );
};

const phoneItem =
  "flex min-h-11 w-full items-center gap-3 rounded-lg px-3 font-medium hover:bg-sunken focus-visible:-outline-offset-2 aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent forced-colors:aria-[current=page]:underline";

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

const Footer = ({ testMode }: { testMode: boolean }) => (
  <footer className="no-print border-line border-t text-[0.8125rem] text-muted">
    <div className={`${page} flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-5`}>
      <p>Shipping Route Data Service. Demo data, not for navigation.</p>
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        <li>
          <Link to="/docs" className="rounded py-1 hover:text-ink hover:underline">
            API documentation
          </Link>
        </li>
        <li>
          <Link to="/support" className="rounded py-1 hover:text-ink hover:underline">
            Contact support
          </Link>
        </li>
        {testMode ? (
          <li>
            <Link to="/test-mode/mailbox" className="rounded py-1 hover:text-ink hover:underline">
              Test mailbox
            </Link>
          </li>
        ) : null}
      </ul>
    </div>
  </footer>
);

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
