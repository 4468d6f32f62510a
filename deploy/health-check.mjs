/** `node deploy/health-check.mjs live|ready`: exits with 0 if the service on this machine says so, else with 1 and the reason. */
const [part = "live"] = process.argv.slice(2);
const url = `http://127.0.0.1:${process.env.PORT || 3000}/hooks/health/${part}`;
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  process.stdout.write(`${response.status} ${await response.text()}\n`);
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  process.stdout.write(`${url}: ${error instanceof Error ? (error.cause ?? error.message) : error}\n`);
  process.exitCode = 1;
}
