/**
 * Checks the contrast of text and graphics on every background of app/styles.css, in the light and the dark theme. Fails
 * below WCAG 2.2 AA (4.5 for text, 3 for graphics and the edges of controls), and below AAA under prefers-contrast: more.
 */
import { readFileSync } from "node:fs";

const css = readFileSync(new URL("../app/styles.css", import.meta.url), "utf8");
const [normal, moreContrast] = [blockAfter(":root {"), blockAfter("@media (prefers-contrast: more) {\n  :root {")];

const text = 4.5;
const mark = 3;
type Pair = [front: string, ground: string, least: typeof text | typeof mark];
/** Under prefers-contrast: more, AAA: 7 for text, and the usual 4.5 of text for graphics. */
const enhanced = { [text]: 7, [mark]: 4.5 };
const grounds = ["canvas", "surface", "sunken"];
const pairs: Pair[] = [
  ...["ink", "muted", "faint", "accent"].flatMap((front) => grounds.map((ground): Pair => [front, ground, text])),
  ...["warning", "danger", "success"].flatMap((tone): Pair[] => [
    [tone, `${tone}-soft`, text],
    ["ink", `${tone}-soft`, text],
    [tone, "surface", text],
    [tone, "canvas", text],
  ]),
  ["accent", "accent-soft", text],
  ["ink", "accent-soft", text],
  ["muted", "accent-soft", text],
  ["faint", "accent-soft", text],
  ["on-accent", "accent-fill", text],
  ["on-accent", "accent-fill-hover", text],
  ["on-danger", "danger-fill", text],
  ["on-danger", "danger-fill-hover", text],
  ...["helm", "helm-raised"].flatMap((ground): Pair[] => [
    ["on-helm", ground, text],
    ["on-helm-muted", ground, text],
    ["helm-accent", ground, text],
  ]),
  ["ink", "map-halo", text],
  ["muted", "map-halo", text],
  ["line-strong", "surface", mark],
  ["line-strong", "canvas", mark],
  ...grounds.map((ground): Pair => ["focus", ground, mark]),
  ["accent-fill", "surface", mark],
  ["accent-fill", "sea", mark],
  ["accent-fill", "land", mark],
  ["muted", "sea", mark],
  ["muted", "land", mark],
  ...["chart-1", "chart-2", "chart-3"].map((series): Pair => [series, "surface", mark]),
  ...["chart-1", "chart-2", "chart-3"].map((series): Pair => [series, "sunken", mark]),
];

let failures = 0;
for (const [name, tokens] of [
  ["normal", normal],
  ["more contrast", new Map([...normal, ...moreContrast])],
] as const) {
  for (const theme of ["light", "dark"] as const) {
    process.stdout.write(`\n${theme}, ${name}\n`);
    for (const [front, ground, usual] of pairs) {
      const least = name === "more contrast" ? enhanced[usual] : usual;
      const ratio = contrast(colour(tokens, front, theme), colour(tokens, ground, theme));
      const ok = ratio >= least;
      if (!ok) failures++;
      process.stdout.write(`${ok ? "  " : "✗ "}${ratio.toFixed(2).padStart(5)} ≥ ${least}  ${front} on ${ground}\n`);
    }
  }
}
process.stdout.write(failures === 0 ? "\nEvery pair passes.\n" : `\n${failures} pairs fail.\n`);
process.exitCode = failures === 0 ? 0 : 1;

type Colours = Map<string, { light: string; dark: string }>;

function colour(tokens: Colours, name: string, theme: "light" | "dark"): string {
  const found = tokens.get(name);
  if (!found) throw new Error(`app/styles.css has no colour --${name}`);
  return found[theme];
}

function blockAfter(start: string): Colours {
  const from = css.indexOf(start) + start.length;
  const block = css.slice(from, css.indexOf("}", from));
  const declarations = block.matchAll(/--([\w-]+):\s*(?:light-dark\((#\w{6}),\s*(#\w{6})\)|(#\w{6}));/g);
  return new Map(
    [...declarations].map(([, name = "", light, dark, both = ""]) => [
      name,
      { light: light ?? both, dark: dark ?? both },
    ]),
  );
}

function contrast(a: string, b: string): number {
  const [la, lb] = [luminance(a), luminance(b)];
  return (Math.max(la, lb) + 0.05) / (Math.min(la, lb) + 0.05);
}

function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
