import type { LinksFunction, MetaFunction } from "@remix-run/node";
import { useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { changelog } from "../../api/changelog.ts";
import { noticeMonths } from "../../api/deprecation.ts";
import { apiVersion } from "../../api/openapi.ts";
import { ChangelogPage } from "../../docs/changelog-page.tsx";
import type { loader as layoutLoader } from "./layout.tsx";

export const meta: MetaFunction = () => [
  { title: "Changelog · API documentation · Shipping Route Data Service" },
  { name: "description", content: "What has changed in the API, its version, and how endpoints are deprecated." },
];

export const links: LinksFunction = () => [
  { rel: "alternate", type: "application/atom+xml", title: "API changelog", href: "/docs/changelog.atom" },
];

export const loader = async () => ({ changes: changelog, version: apiVersion, noticeMonths });

const Changelog = () => (
  <ChangelogPage
    {...useLoaderData<typeof loader>()}
    groups={useRouteLoaderData<typeof layoutLoader>("routes/docs/layout")?.groups ?? []}
  />
);

export default Changelog;
