/** One request on a connection of its own, with a deadline. */
import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

export type Reply = {
  /** `refused`: no connection. `cut`: the connection broke before the answer was complete. `late`: none within the deadline. */
  status: number | "refused" | "cut" | "late";
  retryAfter: string | null;
  requestId: string | null;
  /** From the start of the request, by `performance.now`. */
  startedAt: number;
  ms: number;
  text: string;
};

/**
 * A request waits at most 3 s for the database and 8.5 s for the payment provider. The rest is for machines that are slow, or
 * busy with other work: what is late after this is not slow, it hangs.
 */
export const deadlineMs = 11_500 + 25_000;

export type Asked = { method?: string; headers?: Record<string, string>; body?: object };

export const ask = (url: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Reply> =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    let isConnected = false;
    let isLate = false;
    const end = (reply: Pick<Reply, "status"> & Partial<Reply>) => {
      clearTimeout(timer);
      resolve({ retryAfter: null, requestId: null, text: "", startedAt, ms: performance.now() - startedAt, ...reply });
    };
    const fail = () => end({ status: isLate ? "late" : isConnected ? "cut" : "refused" });
    const sent = request(
      url,
      { method, agent: false, headers: { ...(body ? { "Content-Type": "application/json" } : {}), ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.once("error", fail);
        response.once("aborted", fail);
        response.once("end", () => {
          if (!response.complete) return;
          const { "retry-after": retryAfter = null, "x-request-id": id } = response.headers;
          const text = Buffer.concat(chunks).toString("utf8");
          end({ status: response.statusCode ?? 0, retryAfter, requestId: typeof id === "string" ? id : null, text });
        });
      },
    );
    const timer = setTimeout(() => {
      isLate = true;
      sent.destroy();
    }, deadlineMs);
    sent.once("socket", (socket) =>
      socket.once("connect", () => {
        isConnected = true;
      }),
    );
    sent.once("error", fail);
    sent.end(body && JSON.stringify(body));
  });

/** A busy machine, or a fault: the answer asks to try again. */
const mostTries = 20;

/** Tries again after a 503, as it asks for. @throws Error unless the answer is 2xx in the end */
export const askFor = async <Document>(url: string, asked: Asked): Promise<Document> => {
  for (let tries = 1; ; tries++) {
    const { status, text } = await ask(url, asked);
    if (typeof status === "number" && status <= 299) return JSON.parse(text) as Document;
    if (status !== 503 || tries === mostTries) {
      throw new Error(`${asked.method ?? "GET"} ${url}: ${status} ${text}`);
    }
    await wait(1_000);
  }
};
