import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { noteOwnPage } from "#app/portal/cache-control.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { idField } from "#app/portal/params.ts";
import { visit } from "#app/portal/session.server.ts";
import { saveOpenedSample } from "./get-started.server.ts";
import { landingData } from "./landing.server.ts";
import { Landing } from "./landing.tsx";
import { overviewData } from "./overview.server.ts";
import { Overview } from "./overview.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.overview ? "Home · Shipping Route Data Service" : "Shipping Route Data Service" },
  {
    name: "description",
    content:
      "Schedules, transit times, rates and capacity of shipping routes, by subscription: in the browser and by API.",
  },
];

/** Accounts get an overview of what is theirs, visitors the landing page. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  if (caller) noteOwnPage(args.context);
  return caller
    ? { overview: await overviewData(ctx, caller, args.request), landing: null }
    : { overview: null, landing: await landingData(ctx) };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    open_sample: memberForm(z.object({ route_id: idField }), async ({ caller }, { route_id }) => {
      throw redirect(`/routes/${route_id}`, { headers: { "Set-Cookie": await saveOpenedSample(caller) } });
    }),
  })(args);

const Home = () => {
  const { overview, landing } = useLoaderData<typeof loader>();
  return overview ? <Overview {...overview} /> : <Landing {...landing} />;
};

export default Home;
