/** The advisory locks that processes of this service share. */

/** `connections`: how many may hold or await the lock in this process, so that no lock uses up another's share. */
export const locks = {
  dueWork: { number: 7_463_510, connections: 3 },
  nightlyWork: { number: 7_463_511, connections: 1 },
  refund: { number: 7_463_512, connections: 4 },
  testClock: { number: 7_463_513, connections: 1 },
} as const;

export const lockConnections = Object.values(locks).reduce((sum, { connections }) => sum + connections, 0);
