/**
 * Every metric of the service. Names and units are OpenTelemetry's, with the semantic conventions' names where there are some;
 * Prometheus' names follow from them. `deploy/alerts.yml` and `deploy/grafana-dashboard.json` may use these only.
 */
import { boundedBy, createRegistry } from "./registry.ts";

export const registry = createRegistry();
const { counter, gauge, histogram } = registry;

const jobs = boundedBy("the registry of jobs");
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const jobSeconds = [0.1, 0.5, 1, 5, 15, 60, 300, 1_800];

// ── Requests ────────────────────────────────────────────────────────────────────────────────────────

export const requestMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "_OTHER"] as const;

export const requestDuration = histogram("http.server.request.duration", {
  unit: "s",
  help: "Time from the request's headers to the end of the response. Status 499: the client left before it began.",
  labels: {
    "http.request.method": requestMethods,
    "http.route": boundedBy("the templates of the app's URLs"),
    "http.response.status_code": boundedBy("the statuses that the service sends"),
  },
  buckets: seconds,
});
export const activeRequests = gauge("http.server.active_requests", {
  unit: "{request}",
  help: "Requests that are being answered.",
});

// ── Limits ──────────────────────────────────────────────────────────────────────────────────────────

export const rateLimitRefusals = counter("rate_limit.refusals", {
  unit: "{request}",
  help: "API requests rejected with 429, by the limit that was reached and the caller's plan.",
  labels: {
    limit: ["hour", "burst"],
    counted_by: ["account", "key", "address"],
    plan: boundedBy("the plans, and none for visitors"),
  },
});
export const rateLimitStoreFailures = counter("rate_limit.store_failures", {
  unit: "{call}",
  help: "Calls that the rate limiter's store did not answer; the requests were served uncounted.",
});

// ── Database ────────────────────────────────────────────────────────────────────────────────────────

const pools = boundedBy("the connection pools: request, long_work, locks");

export const connectionCount = gauge("db.client.connection.count", {
  unit: "{connection}",
  help: "Connections that may be used at the same time, by pool and whether they are in use.",
  labels: { "db.client.connection.pool.name": pools, "db.client.connection.state": ["idle", "used"] },
});
export const connectionWaiters = gauge("db.client.connection.pending_requests", {
  unit: "{request}",
  help: "Callers that wait for a connection.",
  labels: { "db.client.connection.pool.name": pools },
});
export const connectionWait = histogram("db.client.connection.wait_time", {
  unit: "s",
  help: "How long callers waited for a connection, if none was free.",
  labels: { "db.client.connection.pool.name": pools },
  buckets: [0.001, ...seconds],
});
export const connectionTimeouts = counter("db.client.connection.timeouts", {
  unit: "{timeout}",
  help: "Callers that got no connection in time, or were turned away because too many waited.",
  labels: { "db.client.connection.pool.name": pools },
});
export const usageBatchSize = histogram("usage.record_batch.size", {
  unit: "{record}",
  help: "Usage records that were committed together.",
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
});

// ── Payments ────────────────────────────────────────────────────────────────────────────────────────

export const chargeReasons = [
  "none",
  "insufficient_funds",
  "authentication_required",
  "card_expired",
  "card_missing",
  "card_declined",
  "other",
] as const;

export const paymentCharges = counter("payment.charges", {
  unit: "{charge}",
  help: "Charges that ended, by their kind, outcome and class of reason.",
  labels: { kind: ["purchase", "renewal"], outcome: ["succeeded", "declined"], reason: chargeReasons },
});
export const paymentRefunds = counter("payment.refunds", {
  unit: "{refund}",
  help: "Refunds that were recorded.",
});
export const paymentDisputes = counter("payment.disputes", {
  unit: "{dispute}",
  help: "Chargebacks, when they begin and when the bank has decided.",
  labels: { state: ["open", "won", "lost", "closed"] },
});
export const providerCallDuration = histogram("payment.provider.call.duration", {
  unit: "s",
  help: "Calls to the payment provider. Unavailable: it did not answer.",
  labels: { operation: boundedBy("the methods of the gateway"), outcome: ["answered", "failed", "unavailable"] },
  buckets: seconds,
});

// ── Jobs, mail, webhooks ────────────────────────────────────────────────────────────────────────────

export const jobDuration = histogram("job.run.duration", {
  unit: "s",
  help: "Runs of scheduled jobs.",
  labels: { job: jobs, outcome: ["succeeded", "failed", "interrupted"] },
  buckets: jobSeconds,
});
export const mailSent = counter("mail.messages", {
  unit: "{message}",
  help: "Attempts to hand e-mails over to the mail system. Given up: no further attempt is made.",
  labels: { outcome: ["sent", "failed", "given_up"] },
});
export const webhookDeliveries = counter("webhook.attempts", {
  unit: "{attempt}",
  help: "Attempts to deliver webhooks to customers' endpoints.",
  labels: { outcome: ["delivered", "failed"] },
});
export const workerRestarts = counter("worker.restarts", {
  unit: "{restart}",
  help: "Worker processes that died and were replaced.",
});

// ── Read from the database ──────────────────────────────────────────────────────────────────────────

const service = { scope: "service" } as const;

export const jobLastSuccess = gauge("job.last_success.timestamp", {
  ...service,
  unit: "s",
  help: "When the last complete run of a job began, by the service's clock, as a Unix time.",
  labels: { job: jobs },
});
export const jobsOverdue = gauge("job.overdue", {
  ...service,
  unit: "{job}",
  help: "Jobs that have missed their time by more than the tolerance of the health check.",
});
export const queueDue = gauge("queue.due", {
  ...service,
  unit: "{item}",
  help: "Items whose time has come and that still wait.",
  labels: { queue: ["mail", "webhooks", "renewals", "orders"] },
});
export const queueOldestAge = gauge("queue.oldest.age", {
  ...service,
  unit: "s",
  help: "How long the item that is due for the longest time has been due. 0 if none is.",
  labels: { queue: ["mail", "webhooks", "renewals", "orders"] },
});
export const renewalsLate = gauge("renewals.late", {
  ...service,
  unit: "{subscription}",
  help: "Subscriptions whose renewal was due before today and has not been attempted.",
});
export const ordersOpen = gauge("orders.open", {
  ...service,
  unit: "{order}",
  help: "Orders that are neither paid nor closed.",
});
export const importsRunning = gauge("imports.running", {
  ...service,
  unit: "{import}",
  help: "Files that are being checked or applied.",
});
export const importSilence = gauge("imports.silence", {
  ...service,
  unit: "s",
  help: "The longest time since a running import last showed progress. 0 if none is running.",
});
export const periodsLate = gauge("data.periods_late", {
  ...service,
  unit: "{period}",
  help: "Periods on sale whose next observation is overdue.",
});
export const dataDelay = gauge("data.longest_delay", {
  ...service,
  unit: "s",
  help: "How long the most overdue observation of a period on sale has been overdue. 0 if none is.",
});
export const figuresAge = gauge("service.figures.age", {
  ...service,
  unit: "s",
  help: "How old the figures from the database are: more than a minute means that it could not be read.",
});

// ── Process ─────────────────────────────────────────────────────────────────────────────────────────

export const buildInfo = gauge("service.build_info", {
  unit: "{build}",
  help: "1, with the version of the service and of Node as labels.",
  labels: { version: boundedBy("one release"), node: boundedBy("one release") },
});
export const residentMemory = gauge("process.resident_memory", { unit: "By", help: "Resident memory." });
export const cpuTime = counter("process.cpu", { unit: "s", help: "User and system CPU time since the start." });
export const startTime = gauge("process.start_time", { unit: "s", help: "Start of the process, as a Unix time." });
export const heapUsed = gauge("v8js.memory.heap.used", { unit: "By", help: "Used memory of V8's heap." });
export const heapLimit = gauge("v8js.memory.heap.limit", { unit: "By", help: "The size at which V8's heap is full." });
export const eventLoopDelay = {
  p50: gauge("nodejs.eventloop.delay.p50", { unit: "s", help: "Event loop delay, median since the last reading." }),
  p99: gauge("nodejs.eventloop.delay.p99", {
    unit: "s",
    help: "Event loop delay, 99th percentile since the last reading.",
  }),
  max: gauge("nodejs.eventloop.delay.max", { unit: "s", help: "Event loop delay, maximum since the last reading." }),
};
export const eventLoopUtilization = gauge("nodejs.eventloop.utilization", {
  unit: "1",
  help: "Share of the time since the last reading in which the event loop was busy.",
});
