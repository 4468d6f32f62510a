/** The changelog as an Atom feed (RFC 4287). */
import type { Change } from "../api/changelog.ts";

export const changelogFeed = (appUrl: string, changes: readonly Change[]): string => {
  const page = `${appUrl}/docs/changelog`;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    "  <title>Shipping Route Data Service: API changelog</title>",
    `  <id>${escaped(page)}</id>`,
    `  <link rel="alternate" href="${escaped(page)}"/>`,
    `  <link rel="self" type="application/atom+xml" href="${escaped(`${page}.atom`)}"/>`,
    `  <updated>${instant(changes[0]?.date ?? "1970-01-01")}</updated>`,
    "  <author><name>Shipping Route Data Service</name></author>",
    ...changes.flatMap((change) => [
      "  <entry>",
      `    <title>${escaped(`${change.kind}: ${change.title}`)}</title>`,
      // The title is part of the identity, as several entries have the same day.
      `    <id>${escaped(`${page}#${change.date}/${encodeURIComponent(change.title)}`)}</id>`,
      `    <link href="${escaped(`${page}#${change.date}`)}"/>`,
      `    <updated>${instant(change.date)}</updated>`,
      `    <category term="${change.kind}"/>`,
      `    <content type="text">${escaped([change.text.replaceAll("`", ""), ...(change.endpoints ?? [])].join("\n"))}</content>`,
      "  </entry>",
    ]),
    "</feed>",
    "",
  ].join("\n");
};

const instant = (day: string) => `${day}T00:00:00Z`;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
