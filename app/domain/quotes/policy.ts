/** Limits of quotes. @spec Terms and discounts (custom pricing) */

/** Requested and offered ones, per account. */
export const maxOpenQuotes = 5;

/** How long an offer is valid unless the operator says otherwise. */
export const usualValidityDays = 14;

/** Prices follow demand, so an offer cannot fix them for longer. */
export const longestValidityDays = 90;

export const longestNote = 2_000;
