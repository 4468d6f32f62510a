import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { guideFacts } from "../../docs/facts.server.ts";
import { GuidePage } from "../../docs/guide-page.tsx";
import { guideOf } from "../../docs/guides.ts";
import { sampleRoute } from "../../docs/sample-route.server.ts";
import { visit } from "../../portal/session.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data
    ? [
        { title: `${data.guide.title} · API documentation · Shipping Route Data Service` },
        { name: "description", content: data.guide.description },
      ]
    : [{ title: "Not found · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const guide = guideOf(args.params.guide);
  if (!guide) throw new Response(null, { status: 404, statusText: "Not Found" });
  const { ctx, caller } = await visit(args);
  return { guide, facts: guideFacts(ctx.settings, await sampleRoute(ctx, caller)) };
};

const Guide = () => <GuidePage {...useLoaderData<typeof loader>()} />;

export default Guide;
