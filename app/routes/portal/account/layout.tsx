import { Outlet } from "@remix-run/react";
import { AccountSettings } from "#app/portal/components/account-settings.tsx";

const AccountLayout = () => (
  <AccountSettings>
    <Outlet />
  </AccountSettings>
);

export default AccountLayout;
