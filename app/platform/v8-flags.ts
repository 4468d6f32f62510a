/**
 * Flags of the processes that answer requests. V8's default young generation of 16 MB is collected every 50 ms under load, and what
 * requests in flight hold is copied each time. With 32 MB a request takes about a tenth less CPU time; 64 MB take more memory and brought
 * no more for certain. `package.json` and the files in `deploy/` say the same (`scripts/deploy.test.ts`).
 */
export const v8Flags: readonly string[] = ["--max-semi-space-size=32"];
