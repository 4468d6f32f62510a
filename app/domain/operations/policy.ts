/** The windows of the console's figures, in days. Today (UTC) counts as one of them. */

/** Charts, and the totals beside them. */
export const chartDays = 30;

/** New accounts, recent trouble, and the renewals due. */
export const weekDays = 7;
