import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readLegalTexts } from "./legal-texts.server.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "legal-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);

describe("The terms and the privacy policy", () => {
  it("are templates that say so, unless the operator has files", async () => {
    for (const { text, version } of Object.values(await readLegalTexts(null))) {
      expect(text).toContain("**Template.**");
      expect(version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
  });

  it("are the operator's files, with the version that each begins with", async () => {
    write("terms.md", "---\r\nversion: 2027-01-01\r\n---\r\n\r\n# Our terms\r\n\r\nPay on time.\r\n");
    write("privacy.md", "---\nversion: 2026-12-01\n---\nNothing is kept.");
    expect(await readLegalTexts(folder)).toEqual({
      terms: { version: "2027-01-01", text: "# Our terms\r\n\r\nPay on time." },
      privacy: { version: "2026-12-01", text: "Nothing is kept." },
    });
  });

  it.each([
    ["a file is missing", null, /must be a folder with terms.md and privacy.md.*privacy\.md cannot be read/],
    ["a version is missing", "# Privacy", /privacy.md must begin with the lines/],
    ["a version is no day", "---\nversion: 2027-02-30\n---\n", /privacy.md must begin with the lines/],
  ])("keep the service from starting when %s", async (_, privacy, message) => {
    write("terms.md", "---\nversion: 2027-01-01\n---\n# Our terms");
    if (privacy !== null) write("privacy.md", privacy);
    await expect(readLegalTexts(folder)).rejects.toThrow(message);
  });
});
