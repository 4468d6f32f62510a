/** The least work that node:http can do. */
import { createServer } from "node:http";
import { answerTo, serve } from "./contestant.mjs";

serve(
  createServer((request, response) => {
    const { bytes, headers } = answerTo(request.url);
    response.writeHead(200, headers);
    response.end(bytes);
  }),
);
