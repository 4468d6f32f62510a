/**
 * The test of all journeys: whatever the browser complains about fails it. Contexts opened by a test count too. Each
 * Playwright worker has a service and a database of its own, so that workers do not disturb each other.
 */
import { randomBytes } from "node:crypto";
import axe, { type RunOptions } from "axe-core";
import { type BrowserContext, test as base, expect, type Page } from "playwright/test";
import { type Service, startService } from "../app/testing/service.ts";

type Complaints = {
  /** Of a browser context that the test opened itself. */
  watch(context: BrowserContext): void;
  /** What has to happen in this test: a form that comes back with 422 is "an error" to the browser's console. */
  allow(status: number | "no connection"): void;
};

/** A hang, not a slow machine. */
export const serviceStartLimitMs = 300_000;

/** As behind a proxy: each journey comes from an address of its own. */
export const serveJourneys = async (use: (service: Service) => Promise<void>): Promise<void> => {
  const service = await startService({ env: { TRUST_PROXY: "1" } });
  await use(service);
  await service.stop();
};

export const test = base.extend<{ complaints: Complaints }, { service: Service }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  service: [({}, use) => serveJourneys(use), { scope: "worker", timeout: serviceStartLimitMs }],
  baseURL: ({ service }, use) => use(service.url),
  // Colours change at once: nothing that is measured or photographed is half-way.
  contextOptions: { reducedMotion: "reduce" },
  // Registrations, failed sign-ins and anonymous requests are limited by address: no journey uses up another's.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  extraHTTPHeaders: ({}, use) => use({ "X-Forwarded-For": ownAddress() }),
  /** A journey begins to click when the page's script is there, unless it says itself what it waits for. */
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
      const heard: string[] = [];
      const allowed = new Set<number | "no connection">();
      const watch = (watched: BrowserContext) => {
        watched.on("weberror", (error) => heard.push(String(error.error())));
        watched.on("console", (message) => {
          // Warnings too: a preload that nothing uses, a policy that was broken.
          if (message.type() === "error" || message.type() === "warning") {
            heard.push(`${message.text()} (${message.location().url || message.page()?.url()})`);
          }
        });
      };
      watch(context);
      await use({ watch, allow: (status) => allowed.add(status) });
      const unexpected = heard.filter((text) => !isAllowed(text, allowed));
      expect(unexpected, "what the browser complained about").toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Of a private network. */
const ownAddress = (): string => ["10", ...randomBytes(3)].join(".");

const isAllowed = (text: string, statuses: ReadonlySet<number | "no connection">): boolean => {
  if (/net::ERR_INTERNET_DISCONNECTED/.test(text)) return statuses.has("no connection");
  const status = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text)?.[1];
  return status !== undefined && statuses.has(Number(status));
};

const standards = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
/** The rules whose answer may differ in the dark. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** By axe: everything in light, and what colours decide in dark. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNoViolations(page, "dark", { type: "rule", values: colourRules });
  await page.emulateMedia({ colorScheme: "light" });
  await expectNoViolations(page, "light", { type: "tag", values: standards });
};

const expectNoViolations = async (page: Page, colours: string, runOnly: RunOptions["runOnly"]) => {
  // Only violations are worked out in detail. That halves the time, and axe is most of what the journeys cost.
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

/** Waits until the page's script handles clicks, choices and keys, which a slow machine may otherwise lose. */
const hydrated = async (page: Page): Promise<void> => {
  // React marks the document that it has taken over. Some pages, such as a mail as it was sent, have no script.
  await page.waitForFunction(
    () =>
      document.querySelector("script[type=module]") === null ||
      Object.keys(document).some((name) => name.startsWith("__reactContainer")),
  );
};

/**
 * Presses the keys one after the other until they have led to the address. A busy machine may be too slow for the page
 * to take them as one shortcut, which it waits for only a moment.
 */
export const pressInSequence = (page: Page, keys: string, address: string): Promise<void> =>
  expect(async () => {
    for (const key of keys) await page.keyboard.press(key);
    await expect(page).toHaveURL(address, { timeout: 3_000 });
  }).toPass();

/** A page wider than the screen is scrolled sideways. */
export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const { content, screen } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    screen: document.documentElement.clientWidth,
  }));
  expect(content, `${page.url()}: width of the page`).toBeLessThanOrEqual(screen);
};
