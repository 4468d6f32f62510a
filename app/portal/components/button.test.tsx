import { createRequestHandler, type EntryContext, type ServerBuild } from "@remix-run/node";
import { Link as RemixLink, RemixServer } from "@remix-run/react";
import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Link } from "./button.tsx";

/** What the server renders within a page at `/docs/here`. */
const rendered = async (Page: ComponentType): Promise<string> => {
  const asset = { module: "/a.js", hasAction: false, hasLoader: false, hasErrorBoundary: false };
  const assets = { ...asset, id: "root", path: "docs/here", hasClientAction: false, hasClientLoader: false };
  const build = {
    mode: "production",
    entry: {
      module: {
        default: (request: Request, _status: number, _headers: Headers, context: EntryContext) =>
          new Response(renderToStaticMarkup(<RemixServer context={context} url={request.url} />)),
      },
    },
    routes: { root: { id: "root", path: "docs/here", module: { default: Page } } },
    assets: { entry: { module: "/e.js", imports: [] }, routes: { root: assets }, url: "/m.js", version: "1" },
    publicPath: "/",
    assetsBuildDirectory: "",
    future: {},
    isSpaMode: false,
  };
  const handle = createRequestHandler(build as unknown as ServerBuild, "production");
  const text = await (await handle(new Request("http://localhost/docs/here"))).text();
  // The order of attributes means nothing.
  return text.replace(
    /<a ([^>]*)>/g,
    (_, list) =>
      `<a ${list
        .match(/[\w-]+="[^"]*"/g)
        .sort()
        .join(" ")}>`,
  );
};

it.each([
  "/",
  "/routes/12",
  "/routes?q=a b&sort=price#list",
  "/routes#list",
  "/routes?",
  "/routes#",
  "/a/../b",
  "/a/.b",
  "/é ü/%20",
  "//other.example",
  "https://other.example/x",
  "mailto:a@example.com",
  "?page=2",
  "#part",
  "",
  "next",
  "..",
  { pathname: "/routes", search: "?q=a" },
])("A link to %j is the same anchor as Remix's", async (to) => {
  const looks = { className: "x", prefetch: "intent", preventScrollReset: true, "aria-current": "page" } as const;
  const expected = await rendered(() => <RemixLink to={to} {...looks} />);
  expect(expected).toContain("<a ");
  expect(await rendered(() => <Link to={to} {...looks} />)).toBe(expected);
});

it("A link that loads its page anew is the same too", async () => {
  const expected = await rendered(() => <RemixLink to="/x" reloadDocument target="_blank" replace state={1} />);
  expect(await rendered(() => <Link to="/x" reloadDocument target="_blank" replace state={1} />)).toBe(expected);
});
