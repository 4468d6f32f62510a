import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { visitOfMember } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Your data · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  await visitOfMember(args);
  return null;
};

const Data = () => (
  <>
    <PageHeader title="Your data" description="What we keep about this account, to take with you." />
    <Card
      title="Download"
      description="Profile, subscriptions, invoices, keys without their secrets, and all activity, as one JSON file."
      actions={
        <ButtonLink to="/account/export.json" icon="download" reloadDocument prefetch="none">
          Download my data
        </ButtonLink>
      }
    />
    <Card
      title="Close the account"
      description="Ends every subscription, key and session, at once and for ever. The next page says what happens, and asks."
      actions={
        <ButtonLink to="/account/close" variant="caution">
          Close the account…
        </ButtonLink>
      }
    />
  </>
);

export default Data;
