/** The links in mails that stop alerts: pages that browsers, mail programs and scanners open, signed out. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mailCadenceOf } from "#app/domain/alerts/alerts.server.ts";
import { stopUrl } from "#app/domain/alerts/stop-link.server.ts";
import { listWatches, watch } from "#app/domain/alerts/watchlist.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { action, loader } from "./stop.tsx";

let portal: Awaited<ReturnType<typeof openPortalService>>;
beforeAll(async () => {
  portal = await openPortalService("watcher");
});
afterAll(() => portal.close());

const argsFor = (url: string, init: RequestInit = {}) =>
  ({ request: new Request(url, init), params: { token: url.split("/").at(-1) }, context: {} }) as never;

/** As mail programs do (RFC 8058): from another site, without a cookie. */
const oneClick = (url: string) =>
  action(
    argsFor(url, {
      method: "POST",
      headers: { Origin: "https://mail.example", "Sec-Fetch-Site": "cross-site" },
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    }),
  );

const watching = async (equipmentType: string | null = null) => {
  const { ctx } = portal.service;
  const target = { origin: "CNSHA", destination: "NLRTM", cargoType: null, equipmentType };
  const { id } = await watch(ctx, portal.caller, { target });
  const accountId = portal.caller.account.id;
  const count = async () => (await listWatches(ctx, portal.caller, { limit: 10 })).rows.length;
  return {
    ofWatch: stopUrl(ctx, { accountId, watchId: id }),
    ofMail: stopUrl(ctx, { accountId, watchId: null }),
    state: async () => ({ watches: await count(), mail: await mailCadenceOf(ctx, portal.caller) }),
  };
};

describe("A link that stops alerts", () => {
  it("changes nothing when it is opened", async () => {
    const { ofWatch, ofMail, state } = await watching();
    expect(await loader(argsFor(ofWatch))).toEqual({
      scope: "watch",
      isStopped: false,
      title: "Shanghai → Rotterdam",
    });
    expect(await loader(argsFor(ofMail))).toEqual({ scope: "mail", isStopped: false, title: null });
    expect(await state()).toEqual({ watches: 1, mail: "daily" });
  });

  it("names the container of its watch", async () => {
    const { ofWatch } = await watching("22G1");
    expect(await loader(argsFor(ofWatch))).toMatchObject({ title: "Shanghai → Rotterdam, 20′ dry (22G1)" });
    await oneClick(ofWatch);
  });

  it("stops a watch by a POST, once and for all", async () => {
    const { ofWatch, state } = await watching();
    await oneClick(ofWatch);
    await oneClick(ofWatch);
    expect(await state()).toEqual({ watches: 0, mail: "daily" });
    expect(await loader(argsFor(ofWatch))).toMatchObject({ isStopped: true });
  });

  it("stops all mail by a POST, and keeps the watches", async () => {
    const { ofMail, state } = await watching();
    await oneClick(ofMail);
    expect(await state()).toEqual({ watches: 1, mail: "off" });
  });

  it.each(["", "x", "a".repeat(60)])("is not found if it was made up: %j", async (token) => {
    const url = `http://localhost:3000/alerts/stop/${token}`;
    const statusOf = (answer: unknown) => (answer instanceof Response ? answer.status : answer);
    expect(statusOf(await loader(argsFor(url)).catch((thrown: unknown) => thrown))).toBe(404);
    expect(statusOf(await oneClick(url).catch((thrown: unknown) => thrown))).toBe(404);
  });
});
