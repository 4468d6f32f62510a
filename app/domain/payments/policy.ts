/** After a failed call to the payment provider, it counts as unreachable for this long, or until a call is answered. */
export const unreachableMinutes = 15;

/** Declined cards of an account in one hour, at payments and when cards are saved. */
export const declinedCardsPerHour = 10;

/** Cards that an account can save in one day, UTC. */
export const savedCardsPerDay = 10;
