/** Uploaded files that nobody applies are discarded after this. */
export const unappliedImportDays = 7;
