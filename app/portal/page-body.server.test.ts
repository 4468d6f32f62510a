import { once } from "node:events";
import { expect, it } from "vitest";
import { pageBody } from "./page-body.server.ts";

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
