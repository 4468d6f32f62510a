import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLocation } from "@remix-run/react";
import { consoleParts } from "#app/portal/components/destinations.ts";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { visitOfOperator } from "#app/portal/session.server.ts";

/** Loaders run in parallel, so every page checks for an operator itself as well. */
export const loader = async (args: LoaderFunctionArgs) => {
  await visitOfOperator(args);
  return null;
};

const Operations = () => {
  const { pathname } = useLocation();
  const isCurrent = (to: string) =>
    to === "/operations" ? pathname === to : pathname === to || pathname.startsWith(`${to}/`);
  return (
    <div className="grid gap-6">
      <Tabs label="Operations" tabs={consoleParts.map(({ label, to }) => ({ label, to, current: isCurrent(to) }))} />
      <Outlet />
    </div>
  );
};

export default Operations;
