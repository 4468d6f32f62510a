/** Takes screenshots of every page in light and dark mode, for people to look at: test-results/screenshots. */
import type { Page } from "playwright/test";
import { demo, findRoute, openAccount, openMenu, operator, order, paid, pay } from "./account.ts";
import { expect, expectNoSidewaysScroll, test } from "./journey.ts";

// A trace would take its own screenshots.
test.use({ trace: "off" });

test("Every page fits the screen, does not shift while it loads, and gets a screenshot", async ({ page, complaints }, {
  project,
}) => {
  complaints.allow(404);
  complaints.allow(422);

  /** Only after a load: on a slow machine, shifts caused by the response to a click would count as well. */
  const expectStill = async (name: string) => {
    await page.evaluate(() => document.fonts.ready);
    const { sum, moved } = await layoutShift(page);
    expect(sum, `how far ${name} moved: ${moved.join("; ")}`).toBeLessThan(0.02);
    expect(await reordered(page), `what ${name} shows elsewhere than where it is sent`).toEqual([]);
  };
  const shoot = async (name: string) => {
    await page.evaluate(() => document.fonts.ready);
    await expectNoSidewaysScroll(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: `test-results/screenshots/${project.name}/${name}-${colorScheme}.png`,
        fullPage: true,
        scale: "css",
      });
    }
  };
  const visit = async (path: string, name: string) => {
    await page.goto(path);
    await expectStill(name);
    await shoot(name);
  };
  const reload = async (name: string) => {
    await page.reload();
    await expectStill(name);
  };
  const route = await findRoute(page);

  await test.step("pages of a visitor", async () => {
    await visit("/", "landing");
    await visit("/routes", "routes");
    await visit("/routes?q=xyzzy", "routes-none");
    await visit("/routes?view=map", "routes-map");
    await visit("/regions", "regions");
    await visit("/regions/EAS", "region");
    await visit("/trade-lanes/EAS-NEU", "trade-lane");
    await visit("/route-groups/EAS-NEU-C-CN", "route-group");
    await visit(route, "route-locked");
    await visit("/register", "register");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await shoot("register-refused");
    await visit("/sign-in", "sign-in");
    await visit("/status", "status");
    await visit("/docs", "docs");
    await visit("/no/such/page", "not-found");
  });

  await test.step("pages of a new account", async () => {
    await openAccount(page);
    await visit("/subscriptions", "subscriptions-none");
    await visit("/api-keys", "api-keys-none");
    await visit("/billing", "billing-none");
    await page.goto(route);
    await page.getByRole("button", { name: "Add to basket" }).click();
    await expect(page.getByRole("region", { name: "Messages" })).toContainText("Added to your basket");
    await shoot("message");
    await visit("/basket", "basket");
    await order(page, route);
    await shoot("checkout");
    await pay(page, { number: "4000 0000 0000 0002" });
    await expect(page.getByLabel("Card number")).toHaveAccessibleDescription(/declined/);
    await shoot("checkout-declined");
    await pay(page, { number: "4000 0025 0000 3155" });
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await shoot("bank");
    await page.getByRole("button", { name: "Approve" }).click();
    await paid(page);
    await shoot("done");
    await page.goto("/api-keys");
    await page.getByLabel("Name", { exact: true }).fill("Rate sync, production");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("New key").waitFor();
    await shoot("api-keys-new");
    await page.getByRole("button", { name: /^Delete / }).click();
    await shoot("api-keys-delete");
  });

  await test.step("pages of the demo account", async () => {
    await page.context().clearCookies();
    const answer = await page.request.post("/sign-in", { form: demo, maxRedirects: 0 });
    expect(answer.status()).toBe(302);
    await visit("/routes", "routes-subscribed");
    await visit("/subscriptions", "subscriptions");
    await page.getByRole("link", { name: "Manage" }).first().click();
    await expect(page).toHaveURL(/\/subscriptions\/\d+$/);
    await shoot("subscription");
    await page.getByRole("banner").getByRole("link", { name: "Search" }).click();
    await page.getByRole("dialog").getByRole("combobox").fill("rotterdam");
    await expect(page.getByRole("group", { name: "Routes" }).getByRole("option")).not.toHaveCount(0);
    await shoot("palette");
    await visit("/api-keys", "api-keys");
    await visit("/usage", "usage");
    await visit("/usage/logs", "usage-logs");
    await visit("/billing", "billing");
    await visit("/account", "account");
    await visit("/account/security", "account-security");
    await visit("/account/security/two-factor", "account-two-factor");
    await visit("/account/activity", "account-activity");
    await visit("/account/data", "account-data");
    await visit("/plan", "plan");
    await visit("/support", "support");
    await visit("/support/new", "support-new");
    await visit("/account/close", "account-close");
    await visit("/test-mode/mailbox", "mailbox");
    await visit("/test-mode/time-machine", "time-machine");
    await reload("time-machine");
    await openMenu(page);
    await shoot("menu");
    await visit(route, "route-open");
    await page
      .getByRole("table", { name: "Periods" })
      .getByRole("link", { name: /^\d{4} Q\d$/ })
      .first()
      .click();
    await expect(page.getByRole("table", { name: "Reports" })).toBeVisible();
    await shoot("period");
  });

  await test.step("pages of operators", async () => {
    await page.context().clearCookies();
    await page.request.post("/sign-in", { form: operator, maxRedirects: 0 });
    await visit("/operations", "operations");
    await visit("/operations/accounts", "operations-accounts");
    await visit("/operations/accounts?q=demo@example.com", "operations-accounts-found");
    await page.getByRole("link", { name: "demo", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("demo");
    await reload("operations-account");
    await shoot("operations-account");
    await page.locator("main summary", { hasText: "Suspend" }).click();
    await shoot("operations-account-suspend");
    await page
      .getByRole("link", { name: /^Refund invoice/ })
      .first()
      .click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Refund invoice");
    await reload("operations-refund");
    await shoot("operations-refund");
    for (const list of ["subscriptions", "jobs", "jobs/runs", "mail", "audit"]) {
      await visit(`/operations/${list}`, `operations-${list.replace("/", "-")}`);
    }
  });
});

/** Elements that CSS reorders. They shift while a long page arrives, and are read out in another order than shown. */
const reordered = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("main *")]
      .filter((element) => getComputedStyle(element).order !== "0")
      .map(({ className }) => String(className)),
  );

/** The Cumulative Layout Shift since the page was loaded, and what moved. */
const layoutShift = (page: Page): Promise<{ sum: number; moved: string[] }> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = (list.getEntries() as LayoutShift[]).filter(({ hadRecentInput }) => !hadRecentInput);
          resolve({
            sum: shifts.reduce((sum, { value }) => sum + value, 0),
            moved: shifts.flatMap(({ sources, startTime }) =>
              sources.map(({ node, previousRect, currentRect }) => {
                const name = node instanceof Element ? `${node.tagName} ${node.className}` : node?.textContent;
                return `${name} from ${previousRect.y} to ${currentRect.y} at ${Math.round(startTime)} ms`;
              }),
            ),
          });
        }).observe({ type: "layout-shift", buffered: true });
        // Without a shift the observer reports nothing.
        setTimeout(() => resolve({ sum: 0, moved: [] }), 50);
      }),
  );

/** Of the Layout Instability API, which the library of types lacks. */
type LayoutShift = PerformanceEntry & {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
};
