/** An HTTP method, distinguished by text as well as by colour. */
export const MethodBadge = ({ method }: { method: string }) => (
  <span
    className={`inline-block w-14 shrink-0 rounded border px-1 text-center font-mono font-semibold text-[0.6875rem] leading-5 ${looks[method] ?? looks.GET}`}
  >
    {method}
  </span>
);

const looks: Record<string, string> = {
  GET: "border-accent-line bg-accent-soft text-accent",
  POST: "border-success-line bg-success-soft text-success",
  PUT: "border-warning-line bg-warning-soft text-warning",
  DELETE: "border-danger-line bg-danger-soft text-danger",
};
