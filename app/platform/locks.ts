/** The locks that processes of this service take from each other. */

/** `connections`: how many may hold or await it in this process, so that no lock takes what another needs. */
export const locks = {
  dueWork: { number: 7_463_510, connections: 3 },
  nightlyWork: { number: 7_463_511, connections: 1 },
  refund: { number: 7_463_512, connections: 4 },
  testClock: { number: 7_463_513, connections: 1 },
} as const;

export const lockConnections = Object.values(locks).reduce((sum, { connections }) => sum + connections, 0);
