/** Inngest's side of its protocol: the signed calls with which its executor runs a function of the service. */
import { createHmac } from "node:crypto";
import { systemClock } from "../domain/clock.ts";

export const secret = "8e4c1ad7".repeat(8);
export const signingKey = `signkey-test-${secret}`;
export const appId = "shipping-route-data-service";

/** A function's id on Inngest's servers. */
export const functionUuid = "6f1dd4f1-8b3c-4f3e-9a55-0f3f6f3f1a10";

/** JSON canonicalization (RFC 8785), as far as these bodies need it. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
};

export const seconds = () => Math.round(systemClock.now().getTime() / 1000);
export const hmac = (data: string, key: string, at: number) =>
  createHmac("sha256", key).update(`${data}${at}`).digest("hex");
export const signatureOf = (data: string, { key = secret, at = seconds() } = {}) => `t=${at}&s=${hmac(data, key, at)}`;

export type Sending = { method?: string; query?: string; body?: unknown; headers?: Record<string, string> };
export type Run = { id: string; job: string; steps: Record<string, unknown>; attempt: number };

let runs = 0;
export const newRun = (job: string): Run => ({ id: `01JRUN${++runs}`, job, steps: {}, attempt: 0 });

/**
 * With `plan` the service reports its steps without running them; otherwise it may run them at once.
 *
 * @param options.lateSeconds how long ago the run was due
 */
export const callOf = (run: Run, { stepId = "step", plan = true, lateSeconds = 0 } = {}): Sending => {
  const at = (seconds() - lateSeconds) * 1000;
  const timer = { name: "inngest/scheduled.timer", data: { cron: "TZ=UTC 20 * * * *" }, id: "", ts: at };
  return {
    query: `?fnId=${appId}-${run.job}&stepId=${stepId}`,
    headers: { "x-inngest-server-kind": "cloud", "x-inngest-req-version": "2" },
    body: {
      version: 2,
      event: timer,
      events: [timer],
      steps: run.steps,
      ctx: {
        run_id: run.id,
        fn_id: functionUuid,
        qi_id: "queue-item",
        attempt: run.attempt,
        max_attempts: 4,
        disable_immediate_execution: plan,
        use_api: false,
        stack: { stack: Object.keys(run.steps), current: Object.keys(run.steps).length },
      },
    },
  };
};
