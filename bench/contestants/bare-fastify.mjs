/** The least work that fastify can do. */
import { fastify } from "fastify";
import { answerTo, ready } from "./contestant.mjs";

const app = fastify();
app.get("/:size", (request, reply) => {
  const { bytes, headers } = answerTo(request.url);
  reply.headers(headers).send(bytes);
});
await app.listen({ host: "127.0.0.1", port: 0 });
ready(app.server.address().port);
