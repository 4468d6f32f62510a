/** A failure that the operator can fix; its message says how. */
export class Trouble extends Error {}
