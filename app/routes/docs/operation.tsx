import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { getContext } from "../../context.server.ts";
import { OperationPage } from "../../docs/operation-page.tsx";
import { referenceOperation } from "../../docs/reference.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data
    ? [
        { title: `${data.operation.summary} · API documentation · Shipping Route Data Service` },
        { name: "description", content: `${data.operation.method} ${data.operation.path}: ${data.operation.summary}.` },
      ]
    : [{ title: "Not found · Shipping Route Data Service" }];

export const loader = async ({ params }: LoaderFunctionArgs) => {
  const { settings } = await getContext();
  const operation = referenceOperation(settings.appUrl, params.operation ?? "");
  if (!operation) throw new Response(null, { status: 404, statusText: "Not Found" });
  return { operation };
};

const OperationRoute = () => <OperationPage {...useLoaderData<typeof loader>()} />;

export default OperationRoute;
