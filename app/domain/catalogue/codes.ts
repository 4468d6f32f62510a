/** The form of the codes by which records are known. */

export const codePattern = /^[A-Z0-9][A-Za-z0-9._/-]{0,79}$/;

/** @spec Endpoints (port codes) */
export const unlocodePattern = /^[A-Z]{2}[A-Z2-9]{3}$/;
