/** The first steps of a new account, and which of them are done. */
import { z } from "zod";
import type { Caller } from "#app/domain/accounts/caller.ts";
import { sampleRoutes } from "#app/domain/catalogue/sample-routes.server.ts";
import type { Context } from "#app/domain/context.ts";
import { longestCookieSeconds, portalCookie } from "#app/portal/cookie.server.ts";

export type GetStartedData = Awaited<ReturnType<typeof getStartedData>>;

/** With the sample route of containers, which most readers know best. */
export const getStartedData = async (
  ctx: Context,
  caller: Caller,
  request: Request,
  done: { subscribed: boolean; called: boolean },
) => {
  const [samples, openedSample] = await Promise.all([sampleRoutes(ctx), hasOpenedSample(caller, request)]);
  const sample = samples.find(({ cargoType }) => cargoType === "container") ?? samples[0];
  return {
    sample: sample ? { id: sample.id, name: sample.name, carrier: sample.carrier.name } : null,
    done: { ...done, openedSample },
  };
};

/** Names the account, because several may use one browser. */
const sampleCookie = () => portalCookie("srds_sample", { maxAge: longestCookieSeconds });

const hasOpenedSample = async ({ account }: Caller, request: Request): Promise<boolean> => {
  const opened = z.int().safeParse(await (await sampleCookie()).parse(request.headers.get("Cookie")));
  return opened.data === account.id;
};

/** The value of a `Set-Cookie` header. */
export const saveOpenedSample = async ({ account }: Caller): Promise<string> =>
  (await sampleCookie()).serialize(account.id);
