import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { OperationPage } from "../../docs/operation-page.tsx";
import { referenceOperation } from "../../docs/reference.server.ts";
import { sampleRoute } from "../../docs/sample-route.server.ts";
import { visit } from "../../portal/session.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data
    ? [
        { title: `${data.operation.summary} · API documentation · Shipping Route Data Service` },
        { name: "description", content: `${data.operation.method} ${data.operation.path}: ${data.operation.summary}.` },
      ]
    : [{ title: "Not found · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const sample = await sampleRoute(ctx, caller);
  const operation = referenceOperation(ctx.settings.appUrl, args.params.operation ?? "", sample);
  if (!operation) throw new Response(null, { status: 404, statusText: "Not Found" });
  return { operation };
};

const OperationRoute = () => <OperationPage {...useLoaderData<typeof loader>()} />;

export default OperationRoute;
