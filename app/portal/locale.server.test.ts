import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { formatDay, formatInstant, formatMoney, formatShare } from "./format.ts";
import { inLocale, localeFor } from "./locale.server.ts";

describe("The reader's region", () => {
  it.each([
    ["en-US,en;q=0.9", "en-US"],
    ["de-DE,de;q=0.9,en;q=0.8", "en-DE"],
    ["de", "en-DE"],
    ["fr-CH", "en-CH"],
    ["hi-IN", "en-IN"],
    ["pt-BR;q=0.8", "en-BR"],
    ["zh-Hans-SG", "en-SG"],
  ])("is that of the first language: %s is %s", (header, locale) => {
    expect(localeFor(header)).toBe(known(locale) ? locale : "en-GB");
  });

  it.each([[null], [""], ["*"], ["ar-EG"], ["tlh"], ["not a language"], ["x".repeat(5000)]])(
    "is the service's own where nothing is known: %s",
    (header) => {
      expect(localeFor(header)).toBe("en-GB");
    },
  );
});

describe("A page in the reader's region", () => {
  const instant = "2026-11-30T14:05:09Z";
  it.each([
    ["en-GB", "30 Nov 2026, 14:05 UTC", "$1,234.50", "2.4%"],
    ["en-US", "Nov 30, 2026, 2:05 PM UTC", "$1,234.50", "2.4%"],
    ["en-DE", "30 Nov 2026, 14:05 UTC", "$1.234,50", "2,4\u00a0%"],
    ["en-CH", "30 Nov 2026, 14:05 UTC", "$\u00a01'234.50", "2.4%"],
    ["en-IN", "30 Nov 2026, 2:05 pm UTC", "$1,234.50", "2.4%"],
  ])("is written in %s", (locale, time, money, share) => {
    const shown = inLocale(locale, () => [formatInstant(instant), formatMoney(123450), formatShare(0.0241)]);
    expect(shown).toEqual([time, money, share]);
  });

  it("keeps its region across awaits while a concurrent one runs", async () => {
    const render = (locale: string, waitMs: number) =>
      inLocale(locale, async () => {
        await setTimeout(waitMs);
        return formatDay(instant);
      });
    expect(await Promise.all([render("en-US", 5), render("en-GB", 1)])).toEqual(["Nov 30, 2026", "30 Nov 2026"]);
  });

  it("does not affect text formatted outside the rendering", () => {
    inLocale("en-US", () => {});
    expect(formatDay(instant)).toBe("30 Nov 2026");
  });
});

const known = (locale: string): boolean => new Intl.NumberFormat(locale).resolvedOptions().locale === locale;
