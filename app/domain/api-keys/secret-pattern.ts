/** The form of API keys, apart from their checksum. No I/O, so that the documentation can show it. */
export const secretPrefix = "srd_live_";
/** 62^43 > 2^256. */
export const secretLength = 43;
export const checksumLength = 6;

/** The documented pattern, by which secret scanners find keys. */
export const secretPattern = `${secretPrefix}[0-9A-Za-z]{${secretLength + checksumLength}}`;
