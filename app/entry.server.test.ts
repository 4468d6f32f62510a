import { expect, it } from "vitest";
import { handleDataRequest } from "./entry.server.tsx";

it("Data that a page's script fetches is not stored by shared caches", async () => {
  const request = new Request("http://localhost:3000/account.data");
  const { headers } = await handleDataRequest(new Response("{}"), { request, params: {}, context: {} });
  expect(headers.get("Cache-Control")).toBe("private, no-cache");
  expect(headers.get("Vary")).toContain("Cookie");
});
