export const maxSavedSearches = 50;

export const longestSearchName = 80;

/** Browsers and proxies accept addresses that are several times as long. */
export const longestSearchQuery = 1_000;
