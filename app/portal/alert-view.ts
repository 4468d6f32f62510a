/** Alerts for pages. */
import type { ShownAlert } from "../domain/alerts/alert.ts";
import type { AlertFigures } from "../domain/alerts/figures.ts";
import { alertSummary, alertTitles } from "../domain/alerts/wording.ts";
import { isoInstant } from "../domain/dates.ts";
import { formatDay, formatInstant, formatMoney, formatNumber } from "./format.ts";

export type AlertView = {
  id: number;
  watchId: number | null;
  route: { id: number; code: string; name: string };
  kind: AlertFigures["kind"];
  /** Null: the account may not read the route's data now. */
  figures: AlertFigures | null;
  occurredAt: string;
  isUnread: boolean;
};

export const alertView = ({ id, watchId, route, kind, figures, occurredAt, readAt }: ShownAlert): AlertView => ({
  ...{ id, watchId, route, kind, figures },
  occurredAt: isoInstant(occurredAt),
  isUnread: readAt === null,
});

const portalStyle = { money: formatMoney, number: formatNumber, day: formatDay, instant: formatInstant };

/** By the reader's region, so call it where the page is rendered. */
export const alertText = ({
  kind,
  figures,
}: Pick<AlertView, "kind" | "figures">): { title: string; text: string | null } => ({
  title: alertTitles[kind],
  text: figures && alertSummary(figures, portalStyle),
});
