/**
 * The base test of all journeys. It fails on any error or warning in the browser's console, also in contexts that the
 * test opens itself. Each Playwright worker has a service and its own database, so that workers are independent.
 */
import { randomBytes } from "node:crypto";
import axe, { type RunOptions } from "axe-core";
import { type BrowserContext, test as base, expect, type Page } from "playwright/test";
import { type Service, startService } from "../app/testing/service.ts";

type Complaints = {
  /** Watches a browser context that the test opened itself. */
  watch(context: BrowserContext): void;
  /** Allows an error that the test provokes: a form that returns 422 is an error in the browser's console. */
  allow(status: number | "no connection"): void;
};

/** Long enough for a slow machine: only a hang reaches it. */
export const serviceStartLimitMs = 300_000;

/** Runs as behind a proxy, so that each journey can have its own client address; webhooks may be sent to this machine. */
export const serveJourneys = async (use: (service: Service) => Promise<void>): Promise<void> => {
  const service = await startService({ env: { TRUST_PROXY: "1", WEBHOOK_ALLOW_PRIVATE: "on" } });
  await use(service);
  await service.stop();
};

export const test = base.extend<{ complaints: Complaints }, { service: Service }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives the fixtures that a function needs from its parameter
  service: [({}, use) => serveJourneys(use), { scope: "worker", timeout: serviceStartLimitMs }],
  baseURL: ({ service }, use) => use(service.url),
  // Without transitions, so that no colour is measured or photographed half-way.
  contextOptions: { reducedMotion: "reduce" },
  // Registrations, failed sign-ins and anonymous requests are limited by address: each journey has its own limits.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives the fixtures that a function needs from its parameter
  extraHTTPHeaders: ({}, use) => use({ "X-Forwarded-For": ownAddress() }),
  /** Waits for hydration after each load, unless the test says with `waitUntil` what to wait for. */
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) {
      const { goto, reload } = page;
      page.goto = async (url, options) => {
        const response = await goto.call(page, url, options);
        if (options?.waitUntil === undefined) await hydrated(page);
        return response;
      };
      page.reload = async (options) => {
        const response = await reload.call(page, options);
        await hydrated(page);
        return response;
      };
    }
    await use(page);
  },
  complaints: [
    async ({ context }, use) => {
      const reported: string[] = [];
      const allowed = new Set<number | "no connection">();
      const watch = (watched: BrowserContext) => {
        watched.on("weberror", (error) => reported.push(String(error.error())));
        watched.on("console", (message) => {
          // Warnings as well: an unused preload, a violated policy.
          if (message.type() === "error" || message.type() === "warning") {
            reported.push(`${message.text()} (${message.location().url || message.page()?.url()})`);
          }
        });
      };
      watch(context);
      await use({ watch, allow: (status) => allowed.add(status) });
      const unexpected = reported.filter((text) => !isAllowed(text, allowed));
      // The text is in the message, as the summary of `npm test` shows only the first line.
      expect(unexpected, `what the browser complained about: ${unexpected.join("; ")}`).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** A random address of a private network. */
const ownAddress = (): string => ["10", ...randomBytes(3)].join(".");

const isAllowed = (text: string, statuses: ReadonlySet<number | "no connection">): boolean => {
  if (/net::ERR_INTERNET_DISCONNECTED/.test(text)) return statuses.has("no connection");
  const status = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text)?.[1];
  return status !== undefined && statuses.has(Number(status));
};

const standards = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
/** The rules whose result may differ in dark mode. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** Narrower pages have the same colours as wider ones. */
const phoneWidth = 480;

/** Checks the page with axe: all rules in light mode, and the rules about colours in dark mode unless it is a phone's page. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await page.evaluate(axe.source);
  if ((page.viewportSize()?.width ?? 0) > phoneWidth) {
    await page.emulateMedia({ colorScheme: "dark" });
    await expectNoViolations(page, "dark", { type: "rule", values: colourRules });
    await page.emulateMedia({ colorScheme: "light" });
  }
  await expectNoViolations(page, "light", { type: "tag", values: standards });
};

const expectNoViolations = async (page: Page, colours: string, runOnly: RunOptions["runOnly"]) => {
  // Details for violations only. That halves the time, and most of the journeys' time is spent in axe.
  const options: RunOptions = { ...(runOnly ? { runOnly } : {}), resultTypes: ["violations"] };
  const found = await page.evaluate(async (options) => {
    const { violations } = await window.axe.run(document, options);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
  }, options);
  expect(found, `${page.url()} in ${colours}`).toEqual([]);
};

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Waits until the page handles clicks and keys. On a slow machine they could be lost otherwise. */
const hydrated = async (page: Page): Promise<void> => {
  // React marks the document when it hydrates it. Some pages, such as a sent mail, have no script.
  await page.waitForFunction(
    () =>
      document.querySelector("script[type=module]") === null ||
      Object.keys(document).some((name) => name.startsWith("__reactContainer")),
  );
};

/**
 * Presses the keys one after the other, repeatedly until the page has the address. The page waits only a moment for the
 * next key of a shortcut, and a busy machine may be slower.
 */
export const pressInSequence = (page: Page, keys: string, address: string): Promise<void> =>
  expect(async () => {
    for (const key of keys) await page.keyboard.press(key);
    await expect(page).toHaveURL(address, { timeout: 3_000 });
  }).toPass();

/** Fails when the page is wider than the screen. */
export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const { content, screen } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    screen: document.documentElement.clientWidth,
  }));
  expect(content, `${page.url()}: width of the page`).toBeLessThanOrEqual(screen);
};
