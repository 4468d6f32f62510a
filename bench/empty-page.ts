/**
 * `node --import tsx bench/empty-page.ts FILE…` serves each file, by its number, inside an otherwise empty Remix page, behind
 * the service's own server: the least that a page of these bytes can cost.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { PassThrough } from "node:stream";
import { createReadableStreamFromReadable, type EntryContext, type LoaderFunctionArgs } from "@remix-run/node";
import { Meta, Outlet, RemixServer, Scripts, useLoaderData } from "@remix-run/react";
import { createElement } from "react";
import { renderToPipeableStream } from "react-dom/server";
import type { Build } from "../server/build.ts";
import { pageHandler } from "../server/pages.ts";

const contents = process.argv.slice(2).map((file) => readFileSync(file, "utf8"));

const Root = () =>
  createElement(
    "html",
    null,
    createElement("head", null, createElement(Meta)),
    createElement("body", null, createElement(Outlet), createElement(Scripts)),
  );

const loader = ({ params }: LoaderFunctionArgs) => ({ number: Number(params.number) });

const Page = () => {
  const { number } = useLoaderData<typeof loader>();
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the page of our own service
  return createElement("div", { dangerouslySetInnerHTML: { __html: contents[number] ?? "" } });
};

const handleRequest = (request: Request, status: number, headers: Headers, context: EntryContext): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(createElement(RemixServer, { context, url: request.url }), {
      onShellReady: () => {
        const body = new PassThrough();
        headers.set("Content-Type", "text/html; charset=utf-8");
        resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
        pipe(body);
      },
      onShellError: reject,
    });
  });

const asset = { module: "/page.js", imports: [], hasAction: false, hasLoader: false, hasErrorBoundary: false };
const assets = { ...asset, hasClientAction: false, hasClientLoader: false };
const build = {
  mode: "production",
  entry: { module: { default: handleRequest } },
  routes: {
    root: { id: "root", path: "", module: { default: Root } },
    page: { id: "page", parentId: "root", path: ":number", module: { default: Page, loader } },
  },
  assets: {
    entry: { module: "/entry.js", imports: [] },
    routes: {
      root: { id: "root", path: "", ...assets },
      page: { id: "page", parentId: "root", path: ":number", ...assets, hasLoader: true },
    },
    url: "/manifest.js",
    version: "1",
  },
  publicPath: "/",
  assetsBuildDirectory: "build/client",
  future: { v3_singleFetch: true, v3_relativeSplatPath: true, v3_fetcherPersist: true, v3_throwAbortReason: true },
  isSpaMode: false,
};

const server = createServer(pageHandler(build as unknown as Build, { appUrl: "http://localhost", trustedProxies: 0 }));
server.listen({ host: "127.0.0.1", port: 0 }, () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.stdout.write(`${address.port}\n`);
});
process.on("SIGTERM", () => process.exit(0));
