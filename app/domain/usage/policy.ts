/** What "recent" means in statistics: today (UTC) and the days before it. The API names it in `last_30_days`. */
export const recentDays = 30;
