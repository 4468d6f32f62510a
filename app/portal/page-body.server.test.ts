import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { createElement } from "react";
import { expect, it } from "vitest";
import { pageBody } from "./page-body.server.ts";

/** What the built service renders with: the file that `patches/` changes. Tests otherwise use that for development. */
const { renderToPipeableStream } = createRequire(import.meta.url)(
  path.resolve("node_modules/react-dom/cjs/react-dom-server.node.production.min.js"),
);

const later = () => new Promise((resolve) => setImmediate(resolve));
const bytes = (text: string) => Buffer.from(text);

const piecesOf = async (body: ReadableStream<Uint8Array>): Promise<string[]> => {
  const pieces: string[] = [];
  await body.pipeTo(new WritableStream({ write: (piece) => void pieces.push(Buffer.from(piece).toString()) }));
  return pieces;
};

it("What is written in one turn is one piece, and the last piece is not lost", async () => {
  const { sink, body } = pageBody();
  const pieces = piecesOf(body);
  sink.write(bytes("<html>"));
  sink.write(bytes("<body>"));
  await later();
  sink.write(bytes("Late"));
  sink.end(bytes("</body>"));
  expect(await pieces).toEqual(["<html><body>", "Late</body>"]);
});

it("A page that nobody has read yet takes everything that is written", async () => {
  const { sink, body } = pageBody();
  const text = "x".repeat(4096);
  for (let i = 0; i < 100; i++) expect(sink.write(bytes(text))).toBe(true);
  sink.end();
  expect((await piecesOf(body)).join("")).toHaveLength(409_600);
});

it("A failure while rendering ends the body with it", async () => {
  const { sink, body } = pageBody();
  // React listens as well.
  sink.on("error", () => {});
  const pieces = piecesOf(body);
  sink.write(bytes("<html>"));
  sink.destroy(new Error("A component failed"));
  await expect(pieces).rejects.toThrow("A component failed");
});

it("A reader that leaves closes the sink, and nothing is sent after it", async () => {
  const { sink, body } = pageBody();
  sink.write(bytes("<html>"));
  const closed = once(sink, "close");
  await body.cancel();
  await closed;
  await later();
  expect(sink.destroyed).toBe(true);
});

it("Characters of several bytes arrive whole, wherever React ends a piece", async () => {
  const words = Array.from({ length: 9_000 }, (_, key) => createElement("p", { key }, "ü€😀", key));
  const { sink, body } = pageBody();
  const pieces = piecesOf(body);
  renderToPipeableStream(words).pipe(sink);
  expect((await pieces).join("")).toBe(words.map(({ key }) => `<p>ü€😀<!-- -->${key}</p>`).join(""));
});
