import { type LinkProps, Link as RemixLink } from "@remix-run/react";
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "caution" | "danger";
export type ButtonSize = "small" | "medium";

type Look = {
  /** Use one primary button per page, for its main action. */
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
  children: ReactNode;
  /** Layout only: margins, width. */
  className?: string;
};

type ButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "style"> & {
    /** The action is running: shows a spinner and ignores further clicks. */
    pending?: boolean;
  };

export const Button = ({ variant, size, icon, pending = false, className, children, type, ...rest }: ButtonProps) => (
  <button
    type={type ?? "submit"}
    {...rest}
    className={lookOf(variant, size, className)}
    aria-disabled={pending || rest.disabled ? true : undefined}
    aria-busy={pending || undefined}
    onClick={pending ? (event) => event.preventDefault() : rest.onClick}
  >
    {pending ? <Spinner /> : icon ? <Icon name={icon} className="-ml-0.5 size-4.5" /> : null}
    {children}
  </button>
);

type ButtonLinkProps = Look & Omit<LinkProps, "className" | "style" | "children">;

/** A link that looks like a button. Use it to navigate, never to change anything. */
export const ButtonLink = ({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) => (
  <Link prefetch="intent" {...rest} className={lookOf(variant, size, className)}>
    {icon ? <Icon name={icon} className="-ml-0.5 size-4.5" /> : null}
    {children}
  </Link>
);

/** Only looks like a button: the control of something that is clicked as a whole, such as a `summary`. */
export const ButtonFace = ({ variant, size, icon, className, children }: Look) => (
  <span aria-hidden="true" className={lookOf(variant, size, className)}>
    {children}
    {icon ? <Icon name={icon} className="-mr-0.5 size-4.5" /> : null}
  </span>
);

const lookOf = (variant: ButtonVariant = "secondary", size: ButtonSize = "medium", more = "") =>
  `${base} ${sizes[size]} ${variants[variant]} ${more}`;

const base =
  "outlined inline-flex items-center justify-center gap-2 rounded-lg border text-center font-semibold whitespace-nowrap transition-colors focus-visible:rounded-lg disabled:opacity-55 disabled:cursor-not-allowed aria-busy:cursor-progress";

const sizes = {
  small: "min-h-9 px-3 text-[0.8125rem] leading-5 sm:min-h-8",
  medium: "min-h-11 px-4 text-[0.9375rem] leading-6 sm:min-h-9.5 sm:text-sm",
} satisfies Record<ButtonSize, string>;

const variants = {
  primary: "border-transparent bg-accent-fill text-on-accent shadow-card hover:bg-accent-fill-hover",
  secondary: "border-line-strong bg-surface text-ink shadow-card hover:bg-sunken",
  quiet: "border-transparent text-accent hover:bg-accent-soft",
  caution: "border-line-strong bg-surface text-danger shadow-card hover:border-danger-line hover:bg-danger-soft",
  danger: "border-transparent bg-danger-fill text-on-danger shadow-card hover:bg-danger-fill-hover",
} satisfies Record<ButtonVariant, string>;

const Spinner = () => (
  <svg viewBox="0 0 24 24" className="-ml-0.5 size-4.5 shrink-0 animate-spin" fill="none" aria-hidden="true">
    <circle cx="12" cy="12" r="9" stroke="currentColor" strokeOpacity="0.3" strokeWidth="3" />
    <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
  </svg>
);

const Anchor = (props: LinkProps) => {
  const {
    to,
    prefetch,
    discover,
    replace,
    state,
    relative,
    reloadDocument,
    preventScrollReset,
    viewTransition,
    ...rest
  } = props;
  if (typeof to !== "string" || !isComplete(to)) return <RemixLink {...props} />;
  return <a {...rest} data-discover={reloadDocument ? undefined : "true"} href={to} />;
};

/** A path of this site that Remix would leave as it is. */
const isComplete = (to: string): boolean => to.startsWith("/") && !/\/[/.]|\?(#|$)|#$/.test(to);

/**
 * Remix's link. It resolves its address several times and prepares prefetching, for which a page with hundreds of links took a third of
 * its time. The server renders the anchor that results. In this file, as a file of its own would be a request of its own.
 */
export const Link = import.meta.env.SSR ? Anchor : RemixLink;
