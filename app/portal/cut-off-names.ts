import type { CutOffs } from "../domain/schedules/sailing.ts";

export const cutOffNames = {
  documentation: "Documentation",
  vgm: "Verified gross mass (VGM)",
  cargo: "Cargo",
} as const satisfies Record<keyof CutOffs, string>;
