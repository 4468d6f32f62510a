/** A change of a route's data, and places in the sequence of all changes. */
import { z } from "zod";
import type { ReportType, ServiceLevelName } from "../catalogue/route.ts";
import { invalid } from "../errors.ts";
import { cursorOf } from "../page.ts";
import type { changeSources, changeTypes } from "./enums.ts";

export type ChangeType = (typeof changeTypes)[number];
export type ChangeSource = (typeof changeSources)[number];

/** Values by field, as they were or are. Money in minor units. */
export type Figures = Record<string, string | number | boolean | null>;

export type Change = {
  /** Grows in the order in which changes were committed. */
  id: number;
  type: ChangeType;
  source: ChangeSource;
  occurredAt: Date;
  route: { id: number; code: string; name: string };
  /** Of reports and periods. */
  periodId: number | null;
  /** Of reports. */
  reportType: ReportType | null;
  /** Of reports and rates. */
  serviceLevel: ServiceLevelName | null;
  /** Empty: none. */
  equipmentType: string;
  /** Empty: it is no surcharge. */
  surchargeCode: string;
  /** How many reports. */
  count: number | null;
  /** The first and last observation of the reports, or departure of the sailings. */
  observedFrom: Date | null;
  observedTo: Date | null;
  /** Which fields of a route or a period have changed. */
  fields: string[];
  /** Of reports: the newest observation of the series before and after, if it is another one or was corrected. */
  before: Figures | null;
  after: Figures | null;
};

/** After the change with this id. */
export const changeCursor = cursorOf(z.tuple([z.literal("changes"), z.int().min(0)]), "since");

export const cursorAfter = (id: number): string => changeCursor.write(["changes", id]);

/** From where on changes are read. */
export type Since = { after: number } | { from: Date };

const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** Reads a cursor or a time. @throws invalid */
export const readSince = (text: string): Since => {
  const time = instant.safeParse(text);
  if (time.success) return { from: new Date(time.data) };
  try {
    const [, after] = changeCursor.read(text) ?? ["changes", 0];
    return { after };
  } catch {
    throw invalid("since", "Not a valid cursor or time. Pass next_cursor unchanged, or an ISO 8601 time");
  }
};
