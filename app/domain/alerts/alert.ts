import { z } from "zod";
import type { CargoType } from "../catalogue/route.ts";
import { cursorOf } from "../page.ts";
import type { AlertFigures } from "./figures.ts";
import type { AlertKind } from "./watch.ts";

export type Alert = {
  id: number;
  /** Null: it is not watched any more. */
  watchId: number | null;
  route: { id: number; code: string; name: string; cargoType: CargoType };
  kind: AlertKind;
  figures: AlertFigures;
  /** When the data changed or became late. */
  occurredAt: Date;
  createdAt: Date;
  /** Null: unread. */
  readAt: Date | null;
};

/** Figures need an active subscription to the route, like the data that they come from. Null: there is none now. */
export type ShownAlert = Omit<Alert, "figures"> & { figures: AlertFigures | null };

export type AlertFilter = {
  watchId?: number | undefined;
  routeId?: number | undefined;
  kind?: AlertKind | undefined;
  unread?: boolean | undefined;
};

/** Newest first. */
export const alertCursor = cursorOf(z.tuple([z.int().min(0)]));
