/**
 * Flags of the processes that answer requests. V8's default young generation of 16 MB is collected every 40 ms under load, and what
 * requests in flight hold is copied each time. With 32 MB a request takes a tenth less CPU time, and a process 50 MB more memory; with
 * 64 MB the pauses get longer. `package.json` and the files in `deploy/` say the same (`scripts/deploy.test.ts`).
 */
export const v8Flags: readonly string[] = ["--max-semi-space-size=32"];
