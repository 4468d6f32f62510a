/** Inngest, which calls the jobs when the scenario says so: on time, late, or several times at once. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  callOf,
  canonical,
  newRun,
  type Run,
  type Sending,
  signatureOf,
  signingKey,
} from "#app/testing/inngest-executor.ts";

export type Inngest = {
  env: Record<string, string>;
  /**
   * Runs a job as one run of Inngest, which retries until the service has answered.
   *
   * @param urls where each call goes; a run that is called twice has two
   * @returns the statuses of the calls that executed the step
   */
  run(job: string, urls: string[], options?: { lateSeconds?: number }): Promise<number[]>;
  close(): Promise<void>;
};

export const openInngest = async (): Promise<Inngest> => {
  // Accepts every registration.
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ status: 200, modified: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: { INNGEST_SIGNING_KEY: signingKey, INNGEST_BASE_URL: `http://127.0.0.1:${port}` },
    run: async (job, urls, options) => {
      const run: Run = newRun(job);
      const [first = ""] = urls;
      const planned = await send(first, callOf(run, options));
      const stepId = planned.json?.[0]?.id;
      if (!stepId) throw new Error(`Inngest's call for ${job} was answered ${planned.status} ${planned.text}`);
      const ran = await Promise.all(urls.map((url) => send(url, callOf(run, { ...options, stepId }))));
      return ran.map(({ status }) => status);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

type Answered = { status: number; text: string; json: { id?: string; data?: unknown }[] | null };

const send = async (url: string, { query = "", body, headers = {} }: Sending): Promise<Answered> => {
  const response = await fetch(`${url}/hooks/inngest${query}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "x-inngest-signature": signatureOf(canonical(body)), ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const json = text.startsWith("[") ? JSON.parse(text) : null;
  return { status: response.status, text, json };
};
