import { counted } from "../wording.ts";

/** How long changes can be followed from. Who has read nothing for longer reads the route data again. */
export const changeRetentionDays = 90;

export const changesGone = `Changes are kept for ${counted(changeRetentionDays, "day")}, and those after this point have been deleted. Read the data of your routes again, then go on from next_cursor`;

/** Connections of one account that follow changes at the same time. */
export const maxStreams = 5;

/** How often a quiet stream gets a heartbeat. It then also looks for changes whose notification was lost. */
export const heartbeatSeconds = 15;

/** A connection whose process has died counts for this long. */
export const leaseSeconds = 60;

/** How long a client should wait before it connects again. */
export const reconnectSeconds = 3;
