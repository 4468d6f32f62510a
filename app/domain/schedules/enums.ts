/** The closed sets of schedules, from which the database's enums are made too. */

/** A cancelled sailing is what the trade calls a blank sailing: announced, and then taken out of the schedule. */
export const sailingStatuses = ["scheduled", "cancelled"] as const;

/** How a leg travels: DCSA's modes, in lower case. */
export const transportModes = ["vessel", "barge", "rail", "truck", "multimodal"] as const;
