/** Records of job runs are kept this long. */
export const runRetentionDays = 30;

/** Operators see how often a job failed within this time. */
export const recentFailureDays = 7;

/** A job that has missed a scheduled time by this much is overdue. */
export const overdueMinutes = 30;

/** Inngest normally calls every minute. After this long without a call something is wrong. */
export const inngestSilentMinutes = 15;
