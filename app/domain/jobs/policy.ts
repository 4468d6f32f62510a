/** Records of job runs are kept this long. */
export const runRetentionDays = 30;
