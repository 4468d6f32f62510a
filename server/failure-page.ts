/**
 * The page for failures outside of Remix: it needs no script, no asset and no database. Programs get the title as text.
 */
import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import { permissionsPolicy } from "#app/platform/response-headers.ts";

export type FailurePage = {
  status: number;
  title: string;
  /** What it means, and what to do. */
  text: string;
  /** The link below the text. */
  next: { label: string; to: string };
  requestId: string;
};

export const answerWithPage = (req: Request, res: Response, page: FailurePage): void => {
  res.status(page.status).set({ "X-Request-Id": page.requestId, "Cache-Control": "no-store" }).vary("Accept");
  if (req.accepts(["text", "html"]) !== "html") {
    res.type("text").send(page.title);
    return;
  }
  const nonce = randomBytes(16).toString("base64");
  res.set({
    "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "Permissions-Policy": permissionsPolicy,
  });
  res.type("html").send(htmlOf(page, nonce));
};

const htmlOf = ({ status, title, text, next, requestId }: FailurePage, nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Error ${status} · Shipping Route Data Service</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style nonce="${nonce}">${styles}</style>
</head>
<body>
<header><a href="/">Shipping Route Data Service</a></header>
<main>
<p class="status">Error ${status}</p>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
<p class="id">Request ID <code>${escaped(requestId)}</code></p>
<p><a class="button" href="${escaped(next.to)}">${escaped(next.label)}</a></p>
<p class="more"><a href="/status">Service status</a> <a href="/support">Contact support</a></p>
</main>
</body>
</html>
`;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The colours are those of app/styles.css. */
const styles = `
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#f5f8fa, #07121e); color: light-dark(#0b1d2e, #e9eff5); font: 1rem/1.5 system-ui, sans-serif; }
header { background: light-dark(#0b1f33, #0a1624); padding: 1.125rem 1.5rem; }
header a { color: #ffffff; font-weight: 600; text-decoration: none; }
main { max-width: 32rem; margin: 0 auto; padding: 5rem 1.5rem; text-align: center; text-wrap: pretty; }
h1 { margin: 0.25rem 0 0.5rem; font-size: 1.5rem; line-height: 2rem; text-wrap: balance; }
p, .more a { color: light-dark(#43566a, #adbccb); }
.status, .id, .more { font-size: 0.875rem; }
.id { display: inline-block; margin: 0 0 1.5rem; padding: 0.375rem 0.75rem; border: 1px solid light-dark(#dbe3ea, #20344a); border-radius: 0.5rem; overflow-wrap: anywhere; }
code { user-select: all; }
.button { display: inline-block; padding: 0.5rem 1rem; border-radius: 0.5rem; background: light-dark(#0b6f79, #35b4bb); color: light-dark(#ffffff, #03181b); font-weight: 600; text-decoration: none; }
.more a { margin: 0 0.5rem; }
:focus-visible { outline: 2px solid light-dark(#0b6f79, #6bdbe0); outline-offset: 2px; }
header :focus-visible { outline-color: #5fd0d4; }
`;
