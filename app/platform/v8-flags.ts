/**
 * Flags of the processes that answer requests. `package.json` and the files in `deploy/` say the same (`scripts/deploy.test.ts`). Figures
 * are in docs/decisions/0038-the-hot-path.md.
 */
export const v8Flags: readonly string[] = [
  // V8's default young generation of 16 MB is collected every 50 ms under load, and what requests in flight hold is copied each time.
  "--max-semi-space-size=32",
  // V8 allocates what survived its first collections in the old generation, and never takes that back. Whatever such an object points
  // to, often the whole request, then stays until the next full collection.
  "--no-allocation-site-pretenuring",
];
