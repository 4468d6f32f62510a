/** Ended incidents are shown and kept this long. */
export const incidentRetentionDays = 90;

/** How often the components are checked. */
export const checkIntervalMs = 60_000;
