/** Traces and metrics of the built service, at a collector. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "#app/testing/service.ts";

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
type ReceivedSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: Attribute[];
};

const spans: ReceivedSpan[] = [];
const metrics = new Map<string, { unit: string }>();
const resources: Record<string, unknown>[] = [];
let collector: Server;
let service: Service;

const flat = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

beforeAll(async () => {
  collector = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk) => chunks.push(chunk));
    req.once("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
        resources.push(flat(resource.attributes));
        for (const { spans: more } of scopeSpans) spans.push(...more);
      }
      for (const { scopeMetrics } of body.resourceMetrics ?? [])
        for (const { metrics: more } of scopeMetrics) for (const metric of more) metrics.set(metric.name, metric);
      res.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  service = await startService({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
      OTEL_METRIC_EXPORT_TIMEOUT: "1000",
      OTEL_BSP_SCHEDULE_DELAY: "200",
    },
  });
});
afterAll(async () => {
  await service?.stop();
  collector?.close();
});

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentId = "b7ad6b7169203331";
const ofTrace = () => spans.filter((span) => span.traceId === traceId);

describe("With a collector", () => {
  it("a request continues its caller's trace, with its statements below it", async () => {
    const response = await fetch(`${service.url}/api/auth/login`, {
      method: "POST",
      headers: { traceparent: `00-${traceId}-${parentId}-01`, "Content-Type": "application/json" },
      body: JSON.stringify({ email: "demo@example.com", password: "demo-harbour-2026" }),
    });
    expect(response.status).toBe(200);
    await expect.poll(() => ofTrace().map(({ name }) => name)).toContain("POST /api/auth/login");
    const request = ofTrace().find(({ kind }) => kind === 2);
    expect(request).toMatchObject({ parentSpanId: parentId });
    expect(flat(request?.attributes ?? [])).toEqual({
      "http.request.method": "POST",
      "http.route": "/api/auth/login",
      "http.response.status_code": 200,
      request_id: response.headers.get("x-request-id"),
    });
    const statement = ofTrace().find(({ name }) => name === "SELECT");
    expect(flat(statement?.attributes ?? [])).toMatchObject({ "db.system.name": "postgresql" });
    expect(JSON.stringify(ofTrace())).not.toContain("demo@example.com");
    expect(resources[0]).toMatchObject({
      "service.name": "shipping-route-data-service",
      "service.version": expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });

  it("jobs have spans, and metrics arrive under OpenTelemetry's names", async () => {
    await expect.poll(() => spans.map(({ name }) => name)).toContain("job send-mail");
    await expect.poll(() => [...metrics.keys()]).toContain("http.server.request.duration");
    expect(metrics.get("http.server.request.duration")).toMatchObject({ unit: "s" });
    await expect.poll(() => [...metrics.keys()]).toContain("queue.oldest.age");
  });

  it("the last spans are sent before the service ends", async () => {
    await fetch(`${service.url}/status?last`, { headers: { traceparent: `00-${"1".repeat(32)}-${parentId}-01` } });
    await service.terminate();
    expect(spans.filter((span) => span.traceId === "1".repeat(32)).map(({ name }) => name)).toContain("GET /status");
  });
});

describe("Without a collector", () => {
  it("the build does not load OpenTelemetry's SDK", () => {
    const folder = new URL("../build/server/", import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
    const usingSdk = files.filter((name) =>
      /from\s*["']@opentelemetry\//.test(readFileSync(new URL(name, folder), "utf8")),
    );
    expect(usingSdk).toHaveLength(1);
    const [chunk = ""] = usingSdk.map((name) => name.split("/").at(-1) ?? "");
    for (const name of files) {
      const text = readFileSync(new URL(name, folder), "utf8");
      expect(text).not.toMatch(new RegExp(`(from|import)\\s*["'][^"']*${chunk.replaceAll(".", "\\.")}["']`));
    }
  });
});
