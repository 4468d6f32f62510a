import { describe, expect, it } from "vitest";
import { jsonLog } from "./log.server.ts";
import { asLongWork, asRequest } from "./time-budget.server.ts";

const lines: Record<string, unknown>[] = [];
const log = jsonLog((line) => lines.push(JSON.parse(line)));
const last = () => lines.at(-1);

describe("The log", () => {
  it("writes an event with its time, level, message and ids", () => {
    log.info("A card was removed", { account_id: 12, "url.path": "/billing/cards" });
    expect(last()).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: "info",
      message: "A card was removed",
      account_id: 12,
      "url.path": "/billing/cards",
    });
  });

  it("stays one line, whatever the values contain", () => {
    const written: string[] = [];
    const forged = '\n{"level":"error","message":"forged"}\r\u2028';
    jsonLog((line) => written.push(line)).error(`Failed${forged}`, { "url.path": forged }, new Error(forged));
    expect(written.map((line) => line.split(/[\n\r]/))).toEqual([[expect.any(String)]]);
    expect(JSON.parse(written[0] ?? "")).toMatchObject({ level: "error", "url.path": forged });
  });

  it("names the request or the job that an event belongs to", async () => {
    await asRequest(async () => log.warn("Slow"), undefined, { requestId: "0192-a", job: null });
    expect(last()).toMatchObject({ level: "warn", request_id: "0192-a" });
    await asLongWork(async () => log.warn("Slow"), { requestId: null, job: "send-mail" });
    expect(last()).toMatchObject({ job: "send-mail" });
    expect(last()).not.toHaveProperty("request_id");
  });

  it("says what failed and where, without the parameters of a query", () => {
    const failed = new Error("Failed query: insert … params: someone@example.com", { cause: new TypeError("away") });
    log.error("An API request failed", { request_id: "0192-b" }, failed);
    expect(last()).toMatchObject({
      "error.type": "Error",
      "error.message": "Failed query: away",
      "error.stack_trace": expect.stringContaining("log.test.ts"),
    });
    expect(JSON.stringify(last())).not.toContain("example.com");
    log.error("A job failed", {}, "text");
    expect(last()).toMatchObject({ "error.type": "string", "error.message": "text" });
  });
});
