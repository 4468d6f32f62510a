import { Outlet, useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { getContext } from "../../context.server.ts";
import { CredentialsProvider } from "../../docs/credentials.tsx";
import { DocsLayout } from "../../docs/docs-layout.tsx";
import { referenceGroups } from "../../docs/reference.server.ts";
import type { RootData } from "../../portal/root-data.ts";

export const loader = async () => ({ groups: referenceGroups((await getContext()).settings.appUrl) });

/** The navigation changes only with a new release. */
export const shouldRevalidate = () => false;

const Docs = () => {
  const { groups } = useLoaderData<typeof loader>();
  const account = useRouteLoaderData<RootData>("root")?.account?.username ?? null;
  return (
    <CredentialsProvider key={account} account={account}>
      <DocsLayout groups={groups}>
        <Outlet />
      </DocsLayout>
    </CredentialsProvider>
  );
};

export default Docs;
