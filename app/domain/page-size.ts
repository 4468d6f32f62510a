/** Records in one page of a list, unless the caller asks for another number, and at most. */
export const defaultPageSize = 50;
export const largestPageSize = 100;
