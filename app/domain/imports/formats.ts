/** Every kind of file that can be imported, in the order in which an empty catalogue takes them. */
import { carriers } from "./carriers.ts";
import type { ImportFormat } from "./kind.ts";
import { rates, routes } from "./planned-formats.ts";
import { reports } from "./reports.ts";

export const formats = { carriers, routes, rates, reports } as const satisfies Record<string, ImportFormat>;

export type ImportKind = keyof typeof formats;
export const importKinds = Object.keys(formats) as [ImportKind, ...ImportKind[]];

export const allColumns = ({ columns }: ImportFormat): readonly string[] => [...columns.required, ...columns.optional];
