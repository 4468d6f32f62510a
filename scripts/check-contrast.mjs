/**
 * Computes the contrast of every pair of text and ground, and of every mark and ground, in app/styles.css, by day and
 * by night. Fails below WCAG 2.2 AA: 4.5 for text, 3 for marks and the edges of controls; with more contrast below AAA.
 */
import { readFileSync } from "node:fs";

const css = readFileSync(new URL("../app/styles.css", import.meta.url), "utf8");
const [normal, moreContrast] = [blockAfter(":root {"), blockAfter("@media (prefers-contrast: more) {\n  :root {")];

const text = 4.5;
const mark = 3;
/** Who asks the system for more contrast gets AAA: 7 for text, and for marks what others have for text. */
const enhanced = { [text]: 7, [mark]: 4.5 };
const grounds = ["canvas", "surface", "sunken"];
const pairs = [
  ...["ink", "muted", "faint", "accent"].flatMap((front) => grounds.map((ground) => [front, ground, text])),
  ...["warning", "danger", "success"].flatMap((tone) => [
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
  ...["helm", "helm-raised"].flatMap((ground) => [
    ["on-helm", ground, text],
    ["on-helm-muted", ground, text],
    ["helm-accent", ground, text],
  ]),
  ["ink", "map-halo", text],
  ["muted", "map-halo", text],
  ["line-strong", "surface", mark],
  ["line-strong", "canvas", mark],
  ...grounds.map((ground) => ["focus", ground, mark]),
  ["accent-fill", "surface", mark],
  ["accent-fill", "sea", mark],
  ["accent-fill", "land", mark],
  ["muted", "sea", mark],
  ["muted", "land", mark],
  ...["chart-1", "chart-2", "chart-3"].map((series) => [series, "surface", mark]),
  ...["chart-1", "chart-2", "chart-3"].map((series) => [series, "sunken", mark]),
];

let failures = 0;
for (const [name, tokens] of [
  ["normal", normal],
  ["more contrast", new Map([...normal, ...moreContrast])],
]) {
  for (const [i, theme] of ["light", "dark"].entries()) {
    process.stdout.write(`\n${theme}, ${name}\n`);
    for (const [front, ground, usual] of pairs) {
      const least = name === "more contrast" ? enhanced[usual] : usual;
      const ratio = contrast(tokens.get(front)[i], tokens.get(ground)[i]);
      const ok = ratio >= least;
      if (!ok) failures++;
      process.stdout.write(`${ok ? "  " : "✗ "}${ratio.toFixed(2).padStart(5)} ≥ ${least}  ${front} on ${ground}\n`);
    }
  }
}
process.stdout.write(failures === 0 ? "\nEvery pair passes.\n" : `\n${failures} pairs fail.\n`);
process.exitCode = failures === 0 ? 0 : 1;

/** The colours of a block, as [light, dark]. */
function blockAfter(start) {
  const from = css.indexOf(start) + start.length;
  const block = css.slice(from, css.indexOf("}", from));
  const declarations = block.matchAll(/--([\w-]+):\s*(?:light-dark\((#\w{6}),\s*(#\w{6})\)|(#\w{6}));/g);
  return new Map([...declarations].map(([, name, light, dark, both]) => [name, [light ?? both, dark ?? both]]));
}

function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
