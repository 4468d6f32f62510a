import { startReceiver } from "../app/testing/webhook-receiver.ts";
import { openAccount } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

test("An endpoint gets a test event, which the portal shows and sends again", async ({ page, complaints }) => {
  let status = 204;
  const receiver = await startReceiver(() => (status === 204 ? { status } : { status, body: "out of order" }));
  await openAccount(page);
  await page.goto("/account/webhooks");
  await expect(page.getByText("No endpoints yet")).toBeVisible();
  await expectAccessible(page);

  await test.step("is refused without event types and for an unusable URL", async () => {
    complaints.allow(422);
    await page.getByLabel("URL").fill("https://user@example.com/");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await expect(page.getByRole("group", { name: "Event types" })).toContainText("Choose at least one event type");
    await page.getByLabel("api_key.created").check();
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await expect(page.getByLabel("URL")).toHaveAccessibleDescription(/Must not contain a username or password/);
    await expect(page.getByLabel("api_key.created")).toBeChecked();
  });

  await test.step("shows its signing secret once", async () => {
    await page.getByLabel("URL").fill(receiver.url);
    await page.getByLabel("Description").fill("Rate sync");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await expect(page.getByLabel("Signing secret").locator("code")).toContainText("whsec_");
    await page.reload();
    expect(await page.content()).not.toContain("whsec_");
  });

  await test.step("receives a test event", async () => {
    await page.getByRole("link", { name: receiver.url }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Rate sync");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("endpoint.test");
    await expect(page.getByText("Delivered")).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole("table", { name: "Attempts" })).toContainText("204");
    expect(receiver.received).toHaveLength(1);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step("is sent a delivery again, and the log shows the failure", async () => {
    status = 503;
    await page.getByRole("button", { name: "Replay" }).click();
    await expect(page.getByRole("table", { name: "Attempts" })).toContainText("out of order", { timeout: 20_000 });
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual(
      Array(2).fill(receiver.received[0]?.headers["webhook-id"]),
    );
    await page.getByRole("link", { name: "Endpoint", exact: true }).click();
    await expect(page.getByRole("table", { name: "Deliveries" })).toContainText("Pending");
    await expect(page.getByText(/Deliveries have failed since/)).toBeVisible();
  });

  await test.step("is disabled, and replays what failed once it is enabled", async () => {
    status = 204;
    await page.getByRole("button", { name: "Disable" }).click();
    await expect(page.getByText("We send no events to this endpoint")).toBeVisible();
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByRole("button", { name: "Replay all failed" }).click();
    await expect(page.getByText("We are sending 1 delivery again.")).toBeVisible();
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(3);
  });

  await test.step("rotates its secret and is deleted", async () => {
    await page.getByRole("button", { name: "Rotate secret" }).click();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(
      (url) => url.pathname.endsWith(".data"),
      async (route) => {
        if (route.request().method() === "GET") await released;
        await route.continue();
      },
    );
    await page.getByRole("button", { name: "Rotate secret", exact: true }).click();
    await expect(page.getByLabel("Signing secret").locator("code")).toContainText("whsec_");
    // A dialog that is opened while the page still loads its new data stays open.
    await page.getByRole("button", { name: "Delete" }).first().click();
    await expect(page.getByRole("button", { name: "Delete endpoint" })).toBeVisible();
    release();
    await expect(page.getByRole("progressbar", { name: "Loading" })).toHaveCount(0);
    await page.getByRole("button", { name: "Delete endpoint" }).click();
    await expect(page.getByText("No endpoints yet")).toBeVisible();
  });
  await receiver.close();
});
