/** The browser that the journeys run in, for playwright.config.ts and the suites of `npm test`. */
import fs from "node:fs";
import path from "node:path";

/**
 * `CHROMIUM_PATH`, else the system's browser; null if only Playwright's own is left. The headless shell comes first, as it
 * needs a third of a full Chromium's processor time.
 */
export const installedChromium = (): string | null => {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? "").split(path.delimiter).concat("/usr/bin");
  const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return candidates.find((file) => fs.existsSync(file)) ?? null;
};
