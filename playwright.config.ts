import { defineConfig, devices } from "playwright/test";
import { installedChromium } from "./scripts/installed-chromium.ts";

const executablePath = installedChromium();
// Chromium's sandbox does not work as root.
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results/journeys",
  globalSetup: "./app/testing/journey-setup.ts",
  // Each worker has a service, a database and a clock of its own. The journeys of one file run in the same worker.
  workers: 2,
  // These limits only catch hangs. No journey depends on the machine's speed.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json"]],
  use: {
    // The trace has the page's DOM at every step. Screenshots in it would double its cost.
    trace: { mode: "retain-on-failure", screenshots: false },
    screenshot: "only-on-failure",
    locale: "en-GB",
    timezoneId: "UTC",
    launchOptions: {
      args: [
        ...args,
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
      ...(executablePath ? { executablePath } : {}),
    },
  },
  projects: [
    { name: "desktop", use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 800 } } },
    {
      name: "phone",
      // A phone has no keyboard for navigation. Of the journeys that mostly wait for the clock, some are enough.
      testIgnore: /(keyboard|paid-plan|periods|renewal|watchlist)\.spec\.ts/,
      use: { ...devices["Pixel 7"], viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});
