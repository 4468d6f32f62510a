/** What scripts use of packages that bring no types. */

declare module "subset-font" {
  export type SubsetOptions = {
    targetFormat: "sfnt" | "woff2";
    keepFeatures: string[];
    variationAxes?: Record<string, { min: number; max: number; default: number }>;
  };
  const subsetFont: (font: Buffer, text: string, options: SubsetOptions) => Promise<Buffer>;
  export default subsetFont;
}
