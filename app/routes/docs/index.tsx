import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { getContext } from "../../context.server.ts";
import { OverviewPage } from "../../docs/overview-page.tsx";

export const meta: MetaFunction = () => [
  { title: "API documentation · Shipping Route Data Service" },
  { name: "description", content: "How to read shipping route data: guides, every endpoint, samples and a console." },
];

export const loader = async () => ({ baseUrl: `${(await getContext()).settings.appUrl}/api` });

const Overview = () => <OverviewPage {...useLoaderData<typeof loader>()} />;

export default Overview;
