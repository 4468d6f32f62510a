/** How long former values of route data are kept, and how far back `as_of` may go. */
export const historyDays = 400;
