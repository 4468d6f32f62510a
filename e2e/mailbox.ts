/** Reads the test mailbox. */
import type { Page } from "playwright/test";

export type Mail = { id: number; to: string; subject: string; text: string };

/** Newest first. */
export const mailTo = async (page: Page, address: string): Promise<Mail[]> => {
  const { messages } = await (await page.request.get("/test-mode/mailbox.json")).json();
  return messages.filter(({ to }: Mail) => to === address);
};

/** The link in the newest message to an address. */
export const linkTo = async (page: Page, address: string): Promise<string> => {
  const [mail] = await mailTo(page, address);
  const link = /http\S+\?token=\S+/.exec(mail?.text ?? "")?.[0];
  if (link === undefined) throw new Error(`The newest message to ${address} has no link`);
  return link;
};
