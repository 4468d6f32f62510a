import type { MetaFunction } from "@remix-run/node";
import { useRouteLoaderData } from "@remix-run/react";
import { ReferencePage } from "../../docs/reference-page.tsx";
import type { loader as layoutLoader } from "./layout.tsx";

export const meta: MetaFunction = () => [{ title: "All endpoints · API documentation · Shipping Route Data Service" }];

const Reference = () => (
  <ReferencePage groups={useRouteLoaderData<typeof layoutLoader>("routes/docs/layout")?.groups ?? []} />
);

export default Reference;
