/** How long requests may take to arrive. The interval of the watch runs by hand; everything else is real. */
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHttpServer } from "./http-server.server.ts";

const minuteMs = 60_000;
const settings = { appUrl: "http://localhost", testMode: false, trustedProxies: 0 };

let server: ReturnType<typeof createHttpServer>["server"];
/** Bytes of the body that the handler has read. */
let bytesRead: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  bytesRead = 0;
  ({ server } = createHttpServer(
    {
      handle: (req, res) => {
        req.on("data", (chunk: Buffer) => {
          bytesRead += chunk.length;
        });
        req.once("end", () => res.end("read"));
      },
      refuseApi: async () => {},
      refuseUnreadApi: async ({ status, message }) => ({ status, headers: {}, body: JSON.stringify({ message }) }),
      isUpload: (url) => url === "/upload",
    },
    settings,
  ));
  server.requestTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends the head of a request with a body of 100 bytes, and its first 10. */
const begin = async (target: string) => {
  const socket = connect({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  const answer = textOf(socket);
  const send = async (bytes: number) => {
    const expected = bytesRead + bytes;
    socket.write("x".repeat(bytes));
    await vi.waitFor(() => expect(bytesRead).toBe(expected), { timeout: 30_000, interval: 5 });
  };
  socket.write(`POST ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 100\r\n\r\n`);
  await send(10);
  return { send, answer };
};

const textOf = async (socket: Socket): Promise<string> => {
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
};

describe("A request that is still arriving after a minute", () => {
  it("is ended with 408, although its bytes keep coming", async () => {
    const { send, answer } = await begin("/page");
    await send(10);
    vi.advanceTimersByTime(minuteMs);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it("is ended in the form of the API's errors under /api", async () => {
    const { answer } = await begin("/api/auth/login");
    vi.advanceTimersByTime(minuteMs);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 .*\r\n\{"message":"The request took too long to arrive"\}$/s);
  });

  it("continues if it is an upload that keeps sending, for as long as it does", async () => {
    const { send, answer } = await begin("/upload");
    for (let minute = 1; minute <= 9; minute++) {
      vi.advanceTimersByTime(minuteMs);
      await send(10);
    }
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it("is ended if it is an upload that sent nothing in the last minute", async () => {
    const { send, answer } = await begin("/upload");
    vi.advanceTimersByTime(minuteMs);
    await send(10);
    vi.advanceTimersByTime(minuteMs);
    vi.advanceTimersByTime(minuteMs);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });
});

describe("A request that has arrived", () => {
  it("is not watched any more", async () => {
    const { send, answer } = await begin("/page");
    await send(90);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(vi.getTimerCount()).toBe(0);
  });
});
