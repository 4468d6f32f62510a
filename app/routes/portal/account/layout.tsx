import { Outlet } from "@remix-run/react";
import { AccountSettings } from "../../../portal/components/account-settings.tsx";

const AccountLayout = () => (
  <AccountSettings>
    <Outlet />
  </AccountSettings>
);

export default AccountLayout;
