import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { ButtonLink } from "../../../portal/components/button.tsx";
import { PageHeader } from "../../../portal/components/page-header.tsx";
import { visitOfOperator } from "../../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  await visitOfOperator(args);
  return null;
};

const Today = () => (
  <PageHeader
    title="Operations"
    description="The service from the inside, for those who run it."
    actions={
      <ButtonLink to="/operations/accounts" icon="search">
        Find an account
      </ButtonLink>
    }
  />
);

export default Today;
