/** The longest range of departures that can be asked for at once, and the default. */
export const longestWindowDays = 90;
