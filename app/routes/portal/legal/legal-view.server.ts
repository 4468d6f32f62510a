import { getService } from "#app/context.server.ts";
import type { LegalTexts } from "#app/platform/legal-texts.server.ts";
import { rememberFor } from "#app/platform/remember.ts";
import { markdownHtml } from "#app/portal/markdown.server.ts";
import { type Incoming, visit } from "#app/portal/session.server.ts";

/** One of the texts as HTML. Its first line is the page's title if it is a heading of level 1. */
export const legalView = async (incoming: Incoming, name: keyof LegalTexts, defaultTitle: string) => {
  await visit(incoming);
  const { legal } = await getService();
  const { title = defaultTitle, html } = htmlOf(legal[name]);
  return { title, version: legal[name].version, html };
};

/** A text is rendered once: it is read at the start of the process. */
const htmlOf = rememberFor(({ text }: LegalTexts[keyof LegalTexts]) => {
  const [heading = "", title] = /^# +(.+?) *(?:\r?\n|$)/.exec(text) ?? [];
  return { title, html: markdownHtml(text.slice(heading.length)) };
});
