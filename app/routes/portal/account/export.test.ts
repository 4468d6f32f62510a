import { afterAll, beforeAll, expect, it } from "vitest";
import { issueKey } from "#app/domain/api-keys/issue.server.ts";
import { saveSearch } from "#app/domain/saved-searches/saved-searches.server.ts";
import { createEndpoint } from "#app/domain/webhooks/manage.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { loader } from "./export.ts";

let portal: Awaited<ReturnType<typeof openPortalService>>;
beforeAll(async () => {
  portal = await openPortalService("holder");
});
afterAll(() => portal.close());

it("The export has every part of the account, and none of its secrets", async () => {
  const { ctx } = portal.service;
  const endpoint = await createEndpoint(ctx, portal.caller, {
    url: "https://93.184.215.14/hooks",
    description: "Production",
    event_types: ["api_key.created"],
  });
  const key = await issueKey(ctx, portal.caller, { api_key_name: "Production", user: "holder" });
  await saveSearch(ctx, portal.caller, { name: "Reefers", query: "q=reefer" });
  const headers = { Cookie: portal.cookie };
  const request = new Request("http://localhost/account/export.json", { headers });
  const response = (await loader({ request, params: {}, context: {} })) as Response;
  expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="account-\d{4}-\d\d-\d\d\.json"$/);
  const text = await response.text();
  const data = JSON.parse(text);
  expect(Object.keys(data)).toEqual([
    "exported_at",
    "profile",
    "subscriptions",
    "invoices",
    "api_keys",
    "passkeys",
    "webhooks",
    "watches",
    "alerts",
    "saved_searches",
    "activity",
  ]);
  expect(data.profile).toMatchObject({ username: "holder", email: "holder@example.com", plan: "free" });
  expect(data.api_keys).toMatchObject([{ id: key.id }]);
  expect(data.webhooks).toMatchObject([{ id: endpoint.id, description: "Production" }]);
  expect(data.saved_searches).toMatchObject([{ name: "Reefers", query: "q=reefer" }]);
  for (const secret of [endpoint.secret, key.secret]) expect(text).not.toContain(secret);
});
