import { getService } from "#app/context.server.ts";
import type { LegalTexts } from "#app/platform/legal-texts.server.ts";
import { markdownHtml } from "#app/portal/markdown.server.ts";
import { type Incoming, visit } from "#app/portal/session.server.ts";

/** One of the texts as HTML. Its first line is the page's title if it is a heading of level 1. */
export const legalView = async (incoming: Incoming, name: keyof LegalTexts, defaultTitle: string) => {
  await visit(incoming);
  const { legal } = await getService();
  const { version, text } = legal[name];
  const [heading = "", title = defaultTitle] = /^# +(.+?) *(?:\r?\n|$)/.exec(text) ?? [];
  return { title, version, html: markdownHtml(text.slice(heading.length)) };
};
