import type { Page } from "playwright/test";
import { openAccount, operator } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";
import { mailTo } from "./mailbox.ts";

const look = async (page: Page) => {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
};

test("An account holder writes to support, an operator answers, and the account holder replies and closes the request", async ({
  page,
  browser,
  complaints,
}) => {
  complaints.allow(422);
  const account = await openAccount(page);
  const staff = await browser.newContext();
  complaints.watch(staff);
  const desk = await staff.newPage();
  await desk.request.post("/sign-in", { form: operator });
  const subject = `No data since Monday (${account.username})`;

  await test.step("the holder sends a request, after a rejected one", async () => {
    await page.goto("/support");
    await look(page);
    await page.getByRole("main").getByRole("link", { name: "Contact support" }).click();
    await page.getByLabel("Subject").fill(subject);
    await page.getByRole("button", { name: "Send request" }).click();
    await expect(page.getByRole("alert")).toContainText("Choose a topic");
    await look(page);
    await expect(page.getByLabel("Subject")).toHaveValue(subject);
    await page.getByLabel("Topic").selectOption("data");
    await page.getByLabel("Message", { exact: true }).fill("The reports end on Monday.\n\nIs that right?");
    await page.getByLabel("Reference").fill("C-CNSHA-NLRTM-PEL9");
    await page.getByRole("button", { name: "Send request" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(subject);
    await expect(page.getByText("Waiting for our reply")).toBeVisible();
    await look(page);
  });

  await test.step("an operator gets a mail, and answers", async () => {
    const [mail] = await mailTo(page, operator.email);
    expect(mail?.subject).toContain(subject);
    await desk.goto(`/operations/support?${new URLSearchParams({ q: account.username })}`);
    await look(desk);
    await desk.getByRole("link", { name: subject }).click();
    await expect(desk.getByRole("link", { name: "Open the account" })).toBeVisible();
    await look(desk);
    await desk.getByLabel("Message", { exact: true }).fill("They are back.\n\nSorry for the wait.");
    await desk.getByRole("button", { name: "Send reply" }).click();
    await expect(desk.getByRole("article").last()).toContainText("They are back.");
    await expect(desk.getByRole("article").last()).toBeFocused();
  });

  await test.step("the holder reads the answer by mail and on the page, replies and closes the request", async () => {
    const [mail] = await mailTo(page, account.email);
    expect(mail?.text).toContain("They are back.\n\nSorry for the wait.");
    await page.reload();
    await expect(page.getByText("We have replied")).toBeVisible();
    await page.getByLabel("Message", { exact: true }).fill("Thank you.");
    await page.getByRole("button", { name: "Send reply" }).click();
    await expect(page.getByRole("article").last()).toContainText("Thank you.");
    await page.getByRole("button", { name: "Close request" }).click();
    await expect(page.getByText("This request is closed")).toBeVisible();
    await page.goto("/support?status=closed");
    await expect(page.getByRole("table", { name: "Support requests" })).toContainText(subject);
    await look(page);
  });
  await staff.close();
});

test("A plan request can be sent once, and the plan page links to it", async ({ page, browser, complaints }) => {
  const account = await openAccount(page);
  await page.goto("/plan");
  await look(page);
  await page.getByRole("link", { name: "Request Enterprise" }).click();
  await expect(page.getByRole("radio", { name: /^Enterprise/ })).toBeChecked();
  await page.getByLabel("What you need it for").fill("Twelve systems, 20,000 requests an hour from January on.");
  await page.getByRole("button", { name: "Request upgrade" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("From the free to the enterprise plan");
  await page.getByRole("link", { name: "Your plan and its limits" }).click();
  await expect(page.getByRole("button", { name: "Request upgrade" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Open request" })).toBeVisible();
  await look(page);

  const staff = await browser.newContext();
  complaints.watch(staff);
  const desk = await staff.newPage();
  await desk.request.post("/sign-in", { form: operator });
  await desk.goto(`/operations/support?${new URLSearchParams({ q: account.username, topic: "plan" })}`);
  await desk.getByRole("link", { name: "From the free to the enterprise plan" }).click();
  await expect(desk.getByText("Asks for the enterprise plan, has the free plan")).toBeVisible();
  await look(desk);
  await desk.getByRole("link", { name: "Change plan" }).click();
  await expect(desk.getByText("Request for the enterprise plan")).toBeVisible();
  await expect(desk.getByLabel("New plan")).toHaveValue("enterprise");
  await look(desk);
  await desk.getByLabel("Reason").first().fill("Agreed by telephone");
  await desk.getByRole("button", { name: "Change plan" }).click();
  await expect(desk.getByText("The plan is now enterprise")).toBeVisible();
  await desk.getByRole("link", { name: "Open the request" }).click();
  await expect(desk.getByText("which the account has")).toBeVisible();
  await desk.getByLabel("Message", { exact: true }).fill("It is yours from now on.");
  await desk.getByRole("button", { name: "Reply and close" }).click();
  await expect(desk.getByText("which the account has")).toHaveCount(0);
  await staff.close();
});
