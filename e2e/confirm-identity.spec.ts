import { openAccount } from "./account.ts";
import { codeOf, secretOn } from "./authenticator.ts";
import { expect, expectAccessible, expectNoSidewaysScroll } from "./journey.ts";
import { daysFrom, test } from "./own-service.ts";

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "With scripts" : "Without scripts", () => {
    test.use({ javaScriptEnabled });

    test("A holder with two-factor sign-in confirms who they are before creating a key", async ({
      page,
      request,
      clock,
      complaints,
    }) => {
      complaints.allow(422);
      const account = await openAccount(page);
      await page.goto("/account/security/two-factor");
      await page.getByLabel("Current password", { exact: true }).fill(account.password);
      await page.getByRole("button", { name: "Continue" }).click();
      const secret = await secretOn(page);
      await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
      await page.getByRole("button", { name: "Turn on" }).click();
      await expect(page.getByText("Save these recovery codes now")).toBeVisible();

      const { now } = await (await request.get("/test-mode/clock")).json();
      await clock.moveTo(daysFrom(now.slice(0, 10), 1));
      await page.goto("/api-keys");
      await page.getByLabel("Name", { exact: true }).fill("Nightly import");
      await page.getByRole("button", { name: "Create key" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm it is you");
      if (javaScriptEnabled) await expectAccessible(page);
      await expectNoSidewaysScroll(page);

      await page.getByLabel("Current password", { exact: true }).fill(account.password);
      await page.getByLabel("Code", { exact: true }).fill("000000");
      await page.getByRole("button", { name: "Confirm" }).click();
      await expect(page.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/wrong or was used before/);
      await page.getByLabel("Current password", { exact: true }).fill(account.password);
      await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 1));
      await page.getByRole("button", { name: "Confirm" }).click();

      await expect(page).toHaveURL(/\/api-keys/);
      await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Nightly import");
      await page.getByRole("button", { name: "Create key" }).click();
      await expect(page.getByLabel("New key")).toContainText(/srd_live_/);
    });
  });
}
