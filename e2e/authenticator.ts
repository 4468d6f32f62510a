/** The holder's phone. */
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright/test";
import { systemClock } from "../app/domain/clock.ts";

/** As the phone shows it now, or by `steps` of 30 seconds later: none is taken twice. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: systemClock.now().getTime() + steps * 30_000 });

/** What the page shows to be typed into the app. */
export const secretOn = async (page: Page): Promise<string> =>
  ((await page.getByTestId("secret").textContent()) ?? "").replaceAll(" ", "");
