/// <reference types="@remix-run/node" />
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

/** Writes a brotli file beside every text asset, at the highest compression, for the server to send. Shortens the manifest. */
const precompressed = (): Plugin => ({
  name: "precompressed",
  apply: "build",
  async writeBundle({ dir = "" }, bundle) {
    const client = path.join(path.dirname(dir), "client");
    // Remix writes the manifest of routes, which is in no bundle, while it builds the server.
    const names = dir === client ? Object.keys(bundle) : await manifestsIn(client);
    if (dir !== client) await Promise.all(names.map((name) => withoutApi(path.join(client, name))));
    const compress = promisify(brotliCompress);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await Promise.all(
      names
        .filter((name) => /\.(js|css|svg)$/.test(name))
        .map(async (name) => {
          const file = path.join(client, name);
          await writeFile(`${file}.br`, await compress(await readFile(file), { params }));
        }),
    );
  },
});

const manifestsIn = async (client: string): Promise<string[]> =>
  (await readdir(path.join(client, "assets")))
    .filter((name) => /^manifest-\w+\.js$/.test(name))
    .map((name) => `assets/${name}`);

/** Removes routes that no page navigates to from the manifest, which every page loads. */
const withoutApi = async (file: string): Promise<void> => {
  const [, before = "", manifest = "", after = ""] =
    /^([^{]*)(\{.*\})([^}]*)$/s.exec(await readFile(file, "utf8")) ?? [];
  const { routes, ...others } = JSON.parse(manifest);
  const pages = Object.entries(routes).filter(([id]) => !/^routes\/(api|hooks)\//.test(id));
  await writeFile(file, `${before}${JSON.stringify({ ...others, routes: Object.fromEntries(pages) })}${after}`);
};

export default defineConfig({
  build: { target: "es2022" },
  plugins: [
    tailwindcss(),
    remix({
      // app/routes.ts has every URL; the file convention is off.
      ignoredRouteFiles: ["**/*"],
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_singleFetch: true,
        // The whole route manifest is 6 KB and loaded once, which is less than a request for a part of it with every page.
        v3_lazyRouteDiscovery: false,
        v3_routeConfig: true,
      },
    }),
    precompressed(),
  ],
});
