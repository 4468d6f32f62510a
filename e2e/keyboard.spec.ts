import type { Page } from "playwright/test";
import { demo, newAccount, openAccount, paid } from "./account.ts";
import { expect, pressInSequence, test } from "./journey.ts";

test("A route is found, bought and its subscription cancelled with the keyboard alone", async ({ page, context }) => {
  const account = await openAccount(page);
  await context.clearCookies();
  const { keyboard } = page;

  await page.goto("/");
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).toMatchObject({ name: "Skip to content", visible: true });

  await tabTo(page, /^From port$/);
  await keyboard.type("Shanghai");
  await tabTo(page, /^To port$/);
  await keyboard.type("Rotterdam");
  await keyboard.press("Enter");
  await arrive(page, /\/routes\?origin=CNSHA&destination=NLRTM$/);

  await tabTo(page, /^Shanghai.*Rotterdam/);
  await keyboard.press("Enter");
  await arrive(page, /\/routes\/\d+$/);

  // The link at the top of the page, then the button of the form.
  await tabTo(page, /^Subscribe$/);
  await keyboard.press("Enter");
  await arrive(page, /\/routes\/\d+#subscribe$/);
  await tabTo(page, /^Subscribe$/);
  await keyboard.press("Enter");
  await arrive(page, /\/register\?next=/);
  await tabTo(page, /^Sign in$/);
  await keyboard.press("Enter");
  await arrive(page, /\/sign-in\?next=/);

  await tabTo(page, /^E-mail$/);
  await keyboard.type(account.email);
  await tabTo(page, /^Password$/);
  await keyboard.type(account.password);
  await keyboard.press("Enter");
  await arrive(page, /\/routes\/\d+\?offer=\d+&term=3_months&auto_renew=on#subscribe$/);

  // The arrow keys move through the terms, starting at the preselected three months.
  await tabTo(page, /^3 months/);
  await keyboard.press("ArrowDown");
  await expect.poll(() => focused(page)).toMatchObject({ name: expect.stringMatching(/^6 months/), visible: true });
  await tabTo(page, /^Continue to payment$/);
  await keyboard.press("Enter");
  await arrive(page, /\/checkout\/\d+$/);

  await tabTo(page, /^Card number$/);
  await keyboard.type("4242424242424242");
  await tabTo(page, /^Expiry$/);
  await keyboard.type("12/34");
  await tabTo(page, /^Security code$/);
  await keyboard.type("123");
  await tabTo(page, /^Pay \$/);
  await keyboard.press("Enter");
  await paid(page);
  await arrive(page, /\/done$/);

  await tabTo(page, /^Create an API key$/);
  await keyboard.press("Enter");
  await arrive(page, /\/api-keys$/);
  await tabTo(page, /^Name$/);
  await keyboard.type("By keyboard");
  await keyboard.press("Enter");
  await expect(page.getByLabel("New key")).toContainText("srd_live_");
  await expectFocusKept(page);

  await tabTo(page, /^Delete By keyboard$/);
  await keyboard.press("Enter");
  await expect.poll(() => focused(page)).toMatchObject({ name: "Keep it", visible: true });
  await keyboard.press("Escape");
  await expect.poll(() => focused(page)).toMatchObject({ name: "Delete By keyboard", visible: true });
  await keyboard.press("Enter");
  await tabTo(page, /^Delete key$/);
  await keyboard.press("Enter");
  await expect(page.getByText("No keys yet")).toBeVisible();
  await expectFocusKept(page);

  await pressInSequence(page, "gs", "/subscriptions");
  await arrive(page, /\/subscriptions$/);
  await tabTo(page, /^Manage Shanghai/);
  await keyboard.press("Enter");
  await arrive(page, /\/subscriptions\/\d+$/);
  await tabTo(page, /^Cancel subscription$/);
  await keyboard.press("Enter");
  await tabTo(page, /^Yes, cancel subscription$/);
  await keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Messages" })).toContainText("Cancelled.");
  await arrive(page, /\/subscriptions\/\d+$/);
  await tabTo(page, /^Resume subscription$/);
});

test("An account is opened with the keyboard alone, after a rejected form", async ({ page, complaints }) => {
  complaints.allow(422);
  const account = newAccount();
  const { keyboard } = page;
  await page.goto("/");
  await tabTo(page, /^Create account$/);
  await keyboard.press("Enter");
  await arrive(page, /\/register$/);
  await tabTo(page, /^Work e-mail$/);
  await keyboard.type(account.email);
  await tabTo(page, /^Username$/);
  await keyboard.type(account.username);
  await tabTo(page, /^Password$/);
  await keyboard.type("short");
  await keyboard.press("Enter");
  // It had the focus before as well, so the error shows that the response has arrived.
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveAccessibleDescription(/At least 12 characters$/);
  await expect(password).toBeFocused();
  await keyboard.press("Control+a");
  await keyboard.type(account.password);
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Home");
  await arrive(page, /:\d+\/$/);
});

test("The catalogue can be browsed with the keyboard alone, from the regions to a report", async ({ page }) => {
  await page.request.post("/sign-in", { form: demo });
  await page.goto("/regions");
  for (const [link, address] of [
    [/^East Asia$/, /\/regions\/EAS$/],
    [/^Asia – North Europe \(westbound\)$/, /\/trade-lanes\/EAS-NEU$/],
    [/^China to North Europe – container$/, /\/route-groups\/EAS-NEU-C-CN$/],
    [/^Shanghai – Rotterdam$/, /\/routes\/\d+$/],
    [/^\d{4} Q\d$/, /\/periods\/\d+$/],
    [/^Performance$/, /type=performance$/],
  ] as const) {
    await tabTo(page, link);
    await page.keyboard.press("Enter");
    await arrive(page, address);
  }
  await expect(page.getByRole("table", { name: "Reports" })).toContainText("%");
});

/** Every element on the way must show that it has the focus. */
const tabTo = async (page: Page, wanted: RegExp): Promise<void> => {
  const seen: string[] = [];
  for (let stops = 0; stops < 80; stops++) {
    await page.keyboard.press("Tab");
    const { name, visible } = await focused(page);
    // After the last element the focus is on the browser's own controls.
    if (name === null) continue;
    expect(visible, `the focus shows at "${name}" on ${page.url()}`).toBe(true);
    if (wanted.test(name)) return;
    seen.push(name);
  }
  throw new Error(`The keyboard does not reach ${wanted} on ${page.url()}, only ${seen.join(" | ")}`);
};

const arrive = async (page: Page, address: RegExp): Promise<void> => {
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("progressbar", { name: "Loading" })).toHaveCount(0);
  // The page moves the focus to the element that the hash names.
  const { hash } = new URL(page.url());
  if (hash !== "") await expect(page.locator(hash)).toBeFocused();
  await expectFocusKept(page);
};

/** Fails when the focus is back at the top of the document, before all the menus. */
const expectFocusKept = async (page: Page): Promise<void> => {
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.tagName), `where the focus is on ${page.url()}`)
    .not.toBe("BODY");
};

/** The focused element's name, and whether the focus is visible on it or on its label. */
const focused = (page: Page): Promise<{ name: string | null; visible: boolean }> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement || element instanceof SVGElement) || element === document.body) {
      return { name: null, visible: false };
    }
    const label =
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels?.[0] : null;
    const name = element.getAttribute("aria-label") ?? label?.textContent ?? element.textContent ?? "";
    const outlined = [element, label].some((candidate) => {
      if (!candidate) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
    });
    const { width, height } = element.getBoundingClientRect();
    return { name: name.trim(), visible: outlined && width > 0 && height > 0 };
  });
