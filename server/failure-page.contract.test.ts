/** The pages for failures outside of Remix. */
import { expect, inject, it } from "vitest";
import { exchange } from "#app/testing/raw-http.ts";

const { server } = inject("services");

it.each([
  ["/account/security", "/account/security"],
  ["//evil.example/account", "/evil.example/account"],
  ["/\\evil.example/account", "/evil.example/account"],
  ['/"><script>alert(1)</script>', '/"><script>alert(1)</script>'],
])("A form of another site gets a page that leads to this site: %s", async (path, target) => {
  const lines = [`POST ${path} HTTP/1.1`, `Host: ${new URL(server).host}`, "Origin: https://evil.example"];
  const head = [...lines, "Accept: text/html", "Content-Length: 0", "Connection: close"];
  const { status, body } = await exchange(server, `${head.join("\r\n")}\r\n\r\n`);
  const [, href = ""] = /class="button" href="([^"]*)"/.exec(body) ?? [];
  const address = href.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  expect([status, address]).toEqual([403, target]);
  expect(body).not.toContain("<script");
});
