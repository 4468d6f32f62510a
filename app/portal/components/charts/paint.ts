import type { Colour } from "./chart-model.ts";

/** How a colour is written: as classes on a page, as attributes in a file. */
export type Paint = (
  colour: Colour,
  part: "fill" | "stroke",
) => { className: string } | { fill: string } | { stroke: string };

const classes: Record<Colour, { fill: string; stroke: string }> = {
  1: { fill: "fill-chart-1", stroke: "stroke-chart-1" },
  2: { fill: "fill-chart-2", stroke: "stroke-chart-2" },
  3: { fill: "fill-chart-3", stroke: "stroke-chart-3" },
  ink: { fill: "fill-ink", stroke: "stroke-ink" },
};

export const paintByClass = (colour: Colour, part: "fill" | "stroke") => ({ className: classes[colour][part] });
