import { dayInWords, openAccount, operator, paid, pay } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll } from "./journey.ts";
import { daysFrom, test } from "./own-service.ts";

test("An operator sets the price of a plan, a holder buys it, and it ends after its last day", async ({
  page,
  browser,
  request,
  clock,
}) => {
  const main = page.getByRole("main");

  await test.step("the operator sets the price", async () => {
    const console = await (await browser.newContext()).newPage();
    await console.request.post("/sign-in", { form: operator });
    await console.goto("/operations/catalogue/plan-prices");
    await console.getByLabel("Price per month").first().fill("49.00");
    await console.getByRole("button", { name: "Set price of Professional" }).click();
    await expect(console.getByRole("main")).toContainText("$49.00 per month");
    await expect(console.getByRole("table")).toContainText("$49.00");
    await expectAccessible(console);
    await expectNoSidewaysScroll(console);
    await console.context().close();
  });

  const account = await openAccount(page);
  const headers = await (async () => {
    const { email, password } = account;
    const answer = await request.post("/api/auth/login", { data: { email, password } });
    return { Authorization: `Bearer ${(await answer.json()).access_token}` };
  })();
  const hourlyLimit = async () => (await request.get("/api/api-keys", { headers })).headers()["x-ratelimit-limit"];

  await test.step("the holder upgrades, and the new limit applies", async () => {
    await page.goto("/plans");
    await expect(main).toContainText("$49.00");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await main.getByRole("link", { name: "Upgrade to Professional" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Upgrade to Professional");
    await expect(main).toContainText("Does not renew automatically");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    expect(await hourlyLimit()).toBe("1000");
    await page.getByRole("radio", { name: /^1 month/ }).check();
    await page.getByRole("button", { name: "Continue to payment" }).click();
    await expect(main).toContainText("Professional plan");
    await expect(main).toContainText("After the last day your account is on the Free plan");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await pay(page, { number: "4242 4242 4242 4242" });
    await paid(page);
    await expect(main).toContainText("The limits of the Professional plan apply now");
    await expectAccessible(page);
    expect(await hourlyLimit()).toBe("5000");
  });

  const invoice = await main.getByRole("link", { name: /^invoice / }).getAttribute("href");
  const today: string = (await (await request.get("/test-mode/clock")).json()).now.slice(0, 10);
  const nextMonth = new Date(today);
  nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1);
  const end = nextMonth.toISOString().slice(0, 10);
  const lastDay = dayInWords(daysFrom(end, -1));

  await test.step("the plan and its invoice name the last day", async () => {
    await page.goto("/plan");
    await expect(main).toContainText(`Last day of your Professional plan: ${lastDay}`);
    await expect(main).toContainText("Does not renew automatically");
    await expect(main.getByRole("link", { name: "Extend Professional" }).first()).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.goto(invoice ?? "");
    await expect(main).toContainText("Professional plan");
    await expect(main).toContainText(lastDay);
    await expectAccessible(page);
    expect((await page.request.get(`${invoice}/receipt.pdf`)).status()).toBe(200);
    await page.goto("/billing");
    await expect(main).toContainText("$49.00");
  });

  const mailAbout = async (subject: string) => {
    const { messages } = await (await request.get("/test-mode/mailbox.json")).json();
    const own = (messages as { to: string; subject: string }[]).filter(({ to }) => to === account.email);
    return own.filter((message) => message.subject === subject).length;
  };

  await test.step("a mail reminds of the end, and after it the account is on Free", async () => {
    await clock.moveTo(daysFrom(end, -7));
    expect(await mailAbout(`Your Professional plan ends after ${lastDay}`)).toBe(1);
    await page.goto("/plan");
    await expect(main).toContainText(lastDay);
    await clock.moveTo(end);
    expect(await mailAbout("Your Professional plan has ended")).toBe(1);
    await page.goto("/plan");
    await expect(main).not.toContainText("Last day of your");
    await expect(main.getByRole("link", { name: "Upgrade to Professional" })).toBeVisible();
  });
});
