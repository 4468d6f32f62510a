/** The pages of the terms and the privacy policy, with an operator's texts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { acceptedTerms } from "#app/domain/accounts/activity.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { loader as privacy } from "./privacy.tsx";
import { loader as terms } from "./terms.tsx";

let portal: Awaited<ReturnType<typeof openPortalService>>;
const folder = mkdtempSync(path.join(tmpdir(), "legal-"));
beforeAll(async () => {
  const hostile =
    "# Our *terms*\n\n<script>alert(1)</script>\n\n[pay](javascript:alert(1)) <img src=x onerror=alert(1)>";
  writeFileSync(path.join(folder, "terms.md"), `---\nversion: 2026-10-01\n---\n${hostile}`);
  writeFileSync(path.join(folder, "privacy.md"), "---\nversion: 2026-09-01\n---\n## What we keep\n\n- **Little**");
  vi.stubEnv("LEGAL_DIR", folder);
  portal = await openPortalService("legal");
});
afterAll(async () => {
  await portal.close();
  rmSync(folder, { recursive: true });
});

const visitor = (path: string) =>
  ({ request: new Request(`http://localhost:3000${path}`), params: {}, context: {} }) as never;

it("show the text to everybody, with its version, and HTML in it as text", async () => {
  expect(await terms(visitor("/terms"))).toEqual({
    title: "Our *terms*",
    version: "2026-10-01",
    html: '&lt;script&gt;alert(1)&lt;/script&gt;\n<p><a href="">pay</a> &lt;img src=x onerror=alert(1)&gt;</p>',
  });
  expect(await privacy(visitor("/privacy"))).toEqual({
    title: "Privacy policy",
    version: "2026-09-01",
    html: "<h2>What we keep</h2>\n<ul>\n<li><strong>Little</strong></li>\n</ul>",
  });
});

it("records the version of the terms that a registration accepts", async () => {
  const { service, caller } = portal;
  expect(await acceptedTerms(service.ctx, caller)).toBe("2026-10-01");
});
