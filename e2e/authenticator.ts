/** The authenticator app of the account holder. */
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright/test";
import { systemClock } from "../app/domain/clock.ts";

/** The code of now, or of `steps` times 30 seconds later, because each code is accepted once only. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: systemClock.now().getTime() + steps * 30_000 });

/** The secret that the page shows for typing into the app. */
export const secretOn = async (page: Page): Promise<string> =>
  ((await page.getByTestId("secret").textContent()) ?? "").replaceAll(" ", "");
