/** A failure that the operator can fix; its message says how. */
export class PostgresTrouble extends Error {}

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown error";
