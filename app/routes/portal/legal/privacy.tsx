import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LegalPage } from "./legal-page.tsx";
import { legalView } from "./legal-view.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? "Privacy policy"} · Shipping Route Data Service` },
];

export const loader = (args: LoaderFunctionArgs) => legalView(args, "privacy", "Privacy policy");

const Privacy = () => <LegalPage {...useLoaderData<typeof loader>()} />;

export default Privacy;
