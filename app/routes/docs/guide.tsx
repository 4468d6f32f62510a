import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { getContext } from "../../context.server.ts";
import { guideFacts } from "../../docs/facts.server.ts";
import { GuidePage } from "../../docs/guide-page.tsx";
import { guideOf } from "../../docs/guides.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data
    ? [
        { title: `${data.guide.title} · API documentation · Shipping Route Data Service` },
        { name: "description", content: data.guide.description },
      ]
    : [{ title: "Not found · Shipping Route Data Service" }];

export const loader = async ({ params }: LoaderFunctionArgs) => {
  const guide = guideOf(params.guide);
  if (!guide) throw new Response(null, { status: 404, statusText: "Not Found" });
  return { guide, facts: guideFacts((await getContext()).settings) };
};

const Guide = () => <GuidePage {...useLoaderData<typeof loader>()} />;

export default Guide;
