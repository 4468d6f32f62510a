/** The longest range of departures in one request, and the default. */
export const longestWindowDays = 90;
