/** A report with the route that it belongs to, as exports list it. */
import { z } from "zod";
import type { Report } from "../catalogue/report.ts";
import { cursorId, cursorOf } from "../page.ts";

export type ExportedRoute = {
  id: number;
  code: string;
  name: string;
  tradeLaneCode: string;
  carrierCode: string;
  /** UN/LOCODEs. */
  origin: string;
  destination: string;
};

export type ReportRow = Report & {
  route: ExportedRoute;
  /** Continues an export after this row. */
  cursor: string;
};

/** The position of an export: its last row, and the newest report that it contains. */
export type Position = [routeId: number, observedAtMs: number, reportId: number, newestReportId: number];

const bigId = z.int().min(0);
/** Of the columns' own range. */
const instantMs = z
  .int()
  .min(Date.UTC(1, 0, 1))
  .max(Date.UTC(9999, 11, 31));

export const exportCursor = cursorOf<Position>(z.tuple([cursorId, instantMs, bigId, bigId]));
