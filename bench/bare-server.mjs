/**
 * `node bench/bare-server.mjs FILE` sends the file as JSON on every request: the least work that node:http can do.
 * Plain JavaScript, so that no loader runs in the process that is measured.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const body = readFileSync(process.argv[2] ?? "");
const headers = { "Content-Type": "application/json; charset=utf-8", "Content-Length": body.byteLength };
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen({ host: "127.0.0.1", port: 0 }, () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.stdout.write(`${address.port}\n`);
});
process.on("SIGTERM", () => process.exit(0));
