import { openAccount } from "./account.ts";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./journey.ts";

const search = "/routes?origin=CNSHA&destination=NLRTM&cargo_type=container";

test("A search is saved under a name, found again, renamed and deleted", async ({ page, isMobile }) => {
  await openAccount(page);
  await page.goto(search);
  await page.getByRole("button", { name: "Save this search" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this search" });
  await expect(dialog.getByLabel("Name")).toHaveValue("Shanghai – Rotterdam, Container");
  await expectAccessible(page);
  await dialog.getByLabel("Name").fill("Boxes to Rotterdam");
  await dialog.getByRole("button", { name: "Save search" }).click();
  await expect(page.getByText("Search saved.")).toBeVisible();
  await expect(page.getByText("Saved as Boxes to Rotterdam")).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.goto("/routes");
  await page.getByRole("link", { name: "Boxes to Rotterdam" }).click();
  await expect(page.getByRole("link", { name: "Remove From Shanghai" })).toBeVisible();
  await expect(page.getByText("Saved as Boxes to Rotterdam")).toBeVisible();

  // From another page, so that the URL tells when the search is open.
  await page.goto("/regions");
  await page
    .getByRole("link", { name: isMobile ? "Search" : /^Search/ })
    .first()
    .click();
  await page.getByRole("combobox", { name: /^Search routes/ }).fill("boxes");
  await page.getByRole("option", { name: "Boxes to Rotterdam" }).click();
  await expect(page).toHaveURL(/origin=CNSHA&destination=NLRTM&cargo_type=container/);

  await page.getByRole("link", { name: "Manage" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Saved searches");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByLabel("Rename Boxes to Rotterdam").click();
  await page.getByRole("textbox", { name: "Name" }).fill("Rotterdam");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByRole("link", { name: "Rotterdam", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Delete Rotterdam" }).click();
  await page.getByRole("button", { name: "Delete search" }).click();
  await expect(page.getByText("You have not saved any searches yet")).toBeVisible();
});

test("A name that is taken is rejected, and the search is kept", async ({ page, complaints }) => {
  await openAccount(page);
  const saved = { intent: "save", name: "Reefers", query: "q=reefer" };
  await page.request.post("/routes/saved", { form: saved });
  await page.goto(search);
  await page.getByRole("button", { name: "Save this search" }).click();
  complaints.allow(422);
  await page.getByRole("textbox", { name: "Name" }).fill("reefers");
  await page.getByRole("button", { name: "Save search" }).click();
  await expect(page.getByRole("textbox", { name: "Name" }).first()).toHaveAccessibleDescription(
    /You already have a search named/,
  );
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Name" }).first().fill("Boxes");
  await page.getByRole("button", { name: "Save search" }).click();
  await expect(page.getByText("Saved as Boxes")).toBeVisible();
});

test("A visitor's search is still there after signing in", async ({ page }) => {
  const account = await openAccount(page);
  await page.context().clearCookies();
  await page.goto(search);
  await page.getByRole("link", { name: "Sign in to save this search" }).click();
  await page.getByLabel("E-mail").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/routes\?origin=CNSHA&destination=NLRTM&cargo_type=container$/);
  await expect(page.getByRole("button", { name: "Save this search" })).toBeVisible();
});

test.describe("Without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a search is saved, renamed and deleted", async ({ page }) => {
    await openAccount(page);
    await page.goto(search);
    await page.getByRole("button", { name: "Save this search" }).click();
    await page.getByRole("button", { name: "Save search" }).click();
    await expect(page.getByText("Saved as Shanghai – Rotterdam, Container")).toBeVisible();
    await page.getByRole("link", { name: "Manage" }).click();
    await page.getByLabel("Rename Shanghai – Rotterdam, Container").click();
    await page.getByRole("textbox", { name: "Name" }).fill("Rotterdam");
    await page.getByRole("button", { name: "Save name" }).click();
    await expect(page.getByRole("link", { name: "Rotterdam", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Delete Rotterdam" }).click();
    await page.getByRole("button", { name: "Delete search" }).click();
    await expect(page.getByText("You have not saved any searches yet")).toBeVisible();
  });
});
