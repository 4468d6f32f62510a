/** The logo: two ports and the route between them. */
export const LogoMark = ({ className = "size-8" }: { className?: string }) => (
  <svg viewBox="0 0 32 32" className={`shrink-0 ${className}`} aria-hidden="true">
    <rect width="32" height="32" rx="8" className="fill-helm-accent" />
    <path
      d="M11.9 18.8v0M15.2 16.3v0M18.6 13.9v0"
      fill="none"
      strokeWidth="2.5"
      strokeLinecap="round"
      className="stroke-helm"
    />
    <circle cx="8.5" cy="23" r="3.2" className="fill-helm" />
    <circle cx="23.4" cy="9.1" r="2.7" fill="none" strokeWidth="2.3" className="stroke-helm" />
  </svg>
);

/** Logo mark and name for the top bar. `short` leaves more room for the menu. */
export const Logo = ({ short = false }: { short?: boolean }) => (
  <span className="flex items-center gap-2.5">
    <LogoMark />
    <span className="font-semibold text-[0.9375rem] text-on-helm leading-tight tracking-tight">
      SRDS
      {short ? null : (
        <span className="ml-2 hidden border-helm-line border-l pl-2 font-normal text-on-helm-muted xl:inline">
          Shipping Route Data Service
        </span>
      )}
    </span>
  </span>
);
