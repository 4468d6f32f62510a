/** Between two ways to do the same. */
export const OrDivider = () => (
  <div className="my-5 flex items-center gap-3 text-muted text-sm noscript:hidden">
    <span className="h-px flex-1 bg-line" />
    or
    <span className="h-px flex-1 bg-line" />
  </div>
);
