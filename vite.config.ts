/// <reference types="@remix-run/node" />
import { readFile, writeFile } from "node:fs/promises";
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

/** Writes a brotli file beside every text asset, at the highest compression, for the server to send. */
const precompressed = (): Plugin => ({
  name: "precompressed",
  apply: "build",
  async writeBundle({ dir = "" }, bundle) {
    if (path.basename(dir) !== "client") return;
    const compress = promisify(brotliCompress);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    const texts = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name));
    await Promise.all(
      texts.map(async (name) => {
        const file = path.join(dir, name);
        await writeFile(`${file}.br`, await compress(await readFile(file), { params }));
      }),
    );
  },
});

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
        // The whole route manifest is 5 KB and loaded once, which is less than a request for a part of it with every page.
        v3_lazyRouteDiscovery: false,
        v3_routeConfig: true,
      },
    }),
    precompressed(),
  ],
});
