import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LegalPage } from "./legal-page.tsx";
import { legalView } from "./legal-view.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? "Terms of service"} · Shipping Route Data Service` },
];

export const loader = (args: LoaderFunctionArgs) => legalView(args, "terms", "Terms of service");

const Terms = () => <LegalPage {...useLoaderData<typeof loader>()} />;

export default Terms;
