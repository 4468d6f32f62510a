/** Types for packages that bring none, as far as scripts use them. */

declare module "subset-font" {
  export type SubsetOptions = {
    targetFormat: "sfnt" | "woff2";
    keepFeatures: string[];
    variationAxes?: Record<string, { min: number; max: number; default: number }>;
  };
  const subsetFont: (font: Buffer, text: string, options: SubsetOptions) => Promise<Buffer>;
  export default subsetFont;
}
