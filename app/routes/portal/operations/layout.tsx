import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLocation } from "@remix-run/react";
import { Tabs } from "../../../portal/components/tabs.tsx";
import { visitOfOperator } from "../../../portal/session.server.ts";

/** Each page asks too: loaders run beside each other. */
export const loader = async (args: LoaderFunctionArgs) => {
  await visitOfOperator(args);
  return null;
};

/** The parts of the console, in the order of their tabs. */
const parts = [
  { label: "Today", to: "/operations" },
  { label: "Accounts", to: "/operations/accounts" },
  { label: "Subscriptions", to: "/operations/subscriptions" },
  { label: "Support", to: "/operations/support" },
  { label: "Import", to: "/operations/import" },
  { label: "Jobs", to: "/operations/jobs" },
  { label: "Mail", to: "/operations/mail" },
  { label: "Audit", to: "/operations/audit" },
];

const Operations = () => {
  const { pathname } = useLocation();
  const isCurrent = (to: string) =>
    to === "/operations" ? pathname === to : pathname === to || pathname.startsWith(`${to}/`);
  return (
    <div className="grid gap-6">
      <Tabs label="Operations" tabs={parts.map((part) => ({ ...part, current: isCurrent(part.to) }))} />
      <Outlet />
    </div>
  );
};

export default Operations;
