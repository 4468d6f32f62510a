import type { Fact, FactGroup, Message } from "./messages.ts";
import { serviceName } from "./text.ts";

/**
 * A message as HTML for mail clients: one column, inline styles, no external resources. Clients with dark mode apply the
 * style sheet; those that strip style sheets show the light design. All text is escaped.
 */
export const htmlOf = ({
  subject,
  paragraphs,
  facts,
  groups = [],
  action,
  unsubscribe,
  appUrl,
}: Message): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>${styleSheet}</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#f4f6f8;color:#16202b;${font}">
<div class="card" style="max-width:560px;margin:0 auto;padding:28px;background:#ffffff;border:1px solid #d9e0e7;border-radius:12px;overflow-wrap:anywhere">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escaped(subject)}</h1>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escaped(paragraph)}</p>`).join("\n")}
${tableOf(facts)}${groups.map(groupOf).join("")}<p style="margin:0 0 16px">${escaped(action.lead)}:</p>
<p style="margin:0"><a class="action" href="${escaped(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0b6f79;color:#ffffff;font-weight:600;text-decoration:none">${escaped(action.label)}</a></p>
</div>
<p class="quiet" style="max-width:560px;margin:16px auto 0;font-size:13px;color:#566575">${serviceName}<br><a class="quiet" href="${escaped(appUrl)}" style="color:#566575">${escaped(appUrl)}</a>${unsubscribe ? `<br>${quietLink(unsubscribe)}` : ""}</p>
</body>
</html>
`;

const tableOf = (facts: readonly Fact[]): string =>
  facts.length === 0
    ? ""
    : `<table style="width:100%;margin:0 0 20px;border-collapse:collapse;font-size:15px">\n${facts.map(rowOf).join("\n")}\n</table>\n`;

const groupOf = ({ title, facts, links }: FactGroup): string =>
  `<p style="margin:0 0 8px;font-weight:600">${escaped(title)}</p>\n${tableOf(facts)}<p class="quiet" style="margin:-8px 0 24px;font-size:14px;color:#566575">${links.map(quietLink).join(" · ")}</p>\n`;

const quietLink = ({ label, url }: { label: string; url: string }): string =>
  `<a class="quiet" href="${escaped(url)}" style="color:#566575">${escaped(label)}</a>`;

const rowOf = ({ label, value }: Fact): string =>
  `<tr><th class="line quiet" scope="row" style="${cell};padding-right:16px;font-weight:400;color:#566575">${escaped(label)}</th><td class="line" style="${cell}">${escaped(value)}</td></tr>`;

const font = "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const cell = "padding:8px 0;border-top:1px solid #d9e0e7;text-align:left;vertical-align:top";

const styleSheet = `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.page{background:#0f161d!important;color:#e6ecf2!important}
.card{background:#17212b!important;border-color:#2b3947!important}
.line{border-color:#2b3947!important}
.quiet{color:#9fb0c0!important}
.action{background:#35b4bb!important;color:#03181b!important}
}`;

/** For text and attribute values. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
