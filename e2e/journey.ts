/** The test of all journeys: whatever the browser complains about fails it. Contexts opened by a test count too. */
import { randomBytes } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, test as base, expect, type Page } from "playwright/test";

type Complaints = {
  /** Of a browser context that the test opened itself. */
  watch(context: BrowserContext): void;
  /** What has to happen in this test: a form that comes back with 422 is "an error" to the browser's console. */
  allow(status: number | "no connection"): void;
};

export const test = base.extend<{ complaints: Complaints }>({
  // Colours change at once: nothing that is measured or photographed is half-way.
  contextOptions: { reducedMotion: "reduce" },
  // Registrations, failed sign-ins and anonymous requests are limited by address: no journey uses up another's.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  extraHTTPHeaders: ({}, use) => use({ "X-Forwarded-For": ownAddress() }),
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
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNoViolations(page, "dark", (axe) => axe.withRules(colourRules));
  await page.emulateMedia({ colorScheme: "light" });
  await expectNoViolations(page, "light", (axe) => axe.withTags(standards));
};

const expectNoViolations = async (page: Page, colours: string, select: (axe: AxeBuilder) => AxeBuilder) => {
  // The pages have no frames, which are what the other mode opens a second page for.
  const { violations } = await select(new AxeBuilder({ page }).setLegacyMode()).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
  expect(found, `${page.url()} in ${colours}`).toEqual([]);
};

/** A page wider than the screen is scrolled sideways. */
export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const { content, screen } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    screen: document.documentElement.clientWidth,
  }));
  expect(content, `${page.url()}: width of the page`).toBeLessThanOrEqual(screen);
};
