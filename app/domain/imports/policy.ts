/** Imported files that nobody applies are discarded after this. */
export const unappliedImportDays = 7;

/** How many errors of a file are kept, and as many warnings. */
export const findingsKept = 1000;

/** How many characters of a wrong value are kept. */
export const valueKept = 200;

/** How many of the first rows are kept to be shown. */
export const rowsShown = 8;
