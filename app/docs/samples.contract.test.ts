/** Runs every sample of the documentation, as its pages show it, against a service with the demo. */
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contracts } from "../api/contracts/all.ts";
import { openApiDocument } from "../api/openapi.ts";
import { demoRouteCode, demoSample } from "../api/sample-route.ts";
import type { SampleLanguage } from "../portal/components/code-block.tsx";
import { type Service, startService } from "../testing/service.ts";
import { guides } from "./guides.ts";
import { slugOf } from "./reference.ts";

let service: Service;
let sql: postgres.Sql;
let account: { email: string; password: string; username: string };
let token: string;
let apiKey: string;
let subscriptionIds: number[];
let watchId: number;
let month: string;
let paymentIntentId: string;

// biome-ignore lint/suspicious/noExplicitAny: each use knows the shape
type Json = any;

/**
 * Requests of this second that are left for the sample itself. On a fast machine, the setup of several samples exceeds the burst
 * of every plan.
 */
const burstForSamples = 20;

const api = async (method: string, path: string, body?: unknown, bearer = token): Promise<Json> => {
  const response = await fetch(`${service.url}/api${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...(bearer === "" ? {} : { Authorization: `Bearer ${bearer}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const [, left] = /"second";r=(\d+)/.exec(response.headers.get("ratelimit") ?? "") ?? [];
  if (bearer !== "") {
    expect(left).toBeDefined();
    if (Number(left) < burstForSamples) await setTimeout(1000);
  }
  return { status: response.status, ...(JSON.parse(await response.text()) as object) };
};

/** @throws with the answer, when it is an error */
const done: typeof api = async (...request) => {
  const answer = await api(...request);
  if (answer.status >= 400)
    throw new Error(`${request[0]} ${request[1]}: ${JSON.stringify(answer)}\n${service.output()}`);
  return answer;
};

const newToken = async (): Promise<string> => {
  const { email, password } = account;
  return (await done("POST", "/auth/login", { email, password }, "")).access_token;
};

const newKey = (name: string) => done("POST", "/api-keys/generate", { api_key_name: name, user: account.username });

/** The ids of the demo's routes begin with 1. */
let watched = 0;
const newWatch = async (): Promise<number> => {
  watched += 1;
  return (await done("POST", "/watchlist", { route_id: watched })).id;
};

const payWithTestCard = async (order: Json) => {
  const body = new URLSearchParams({ client_secret: order.client_secret, payment_method: "pm_card_visa" });
  const response = await fetch(order.confirm_url, { method: "POST", body });
  if (!response.ok) throw new Error(`The payment failed: ${await response.text()}`);
};

beforeAll(async () => {
  service = await startService({ env: { WEBHOOK_ALLOW_PRIVATE: "on" } });
  sql = postgres(service.databaseUrl, { max: 1, onnotice: () => {} });
  account = { email: "samples@example.com", password: "correct horse battery", username: "samples" };
  token = (await done("POST", "/auth/register", account, "")).access_token;
  // A plan that allows many keys.
  await sql`update accounts set plan = 'enterprise' where username = ${account.username}`;
  const { api_key } = await newKey("Samples");
  apiKey = api_key;
  const [route] = (await done("GET", `/route-access/all-routes?q=${demoRouteCode}`)).routes;
  const { routes } = await done("GET", "/route-access/all-routes");
  const other = routes.find(
    ({ id, periods }: Json) => id !== route.id && id !== demoSample.otherRouteId && periods.length > 0,
  );
  const items = [route, other].map(({ periods }) => ({ period_id: periods[0].id, subscription_term: "3_months" }));
  const order = await done("POST", "/subscriptions/create-payment-intent", { items });
  await payWithTestCard(order);
  paymentIntentId = order.payment_intent_id;
  const bought = await done("POST", "/subscriptions/payment-success", { payment_intent_id: paymentIntentId });
  subscriptionIds = bought.subscriptions.map(({ id }: Json) => id);
  watchId = await newWatch();
  month = (await done("GET", "/subscriptions/statements")).statements[0].month;
});
afterAll(async () => {
  await sql?.end();
  await service?.stop();
});

type Variables = Record<string, string | number>;

/** What a reader has before trying a sample. */
const variablesFor = async (slug: string): Promise<Variables> => {
  const key = /(^set-api-key-|-api-key$)/.test(slug) ? await newKey("Sample") : { id: 0 };
  // 409 if it is in this state already.
  for (const id of subscriptionIds) {
    await api("POST", `/subscriptions/${id}/${slug === "resume-subscription" ? "cancel" : "resume"}`);
  }
  const [subscriptionId = 0, otherSubscriptionId = 0] = subscriptionIds;
  return {
    access_token: slug === "refresh" || slug === "logout" ? await newToken() : token,
    api_key: apiKey,
    username: account.username,
    api_key_id: key.id,
    subscription_id: subscriptionId,
    other_subscription_id: otherSubscriptionId,
    watch_id: slug === "delete-watch" ? await newWatch() : watchId,
    month,
    payment_intent_id: paymentIntentId,
    ...(/webhook/.test(slug) ? await webhookVariables() : {}),
  };
};

/** Its own endpoint for each sample, and a delivery to it. Nothing listens there. */
const webhookVariables = async (): Promise<Variables> => {
  for (const { id } of (await done("GET", "/webhooks")).webhooks) await done("DELETE", `/webhooks/${id}`);
  const url = "http://127.0.0.1:4000/webhooks";
  const endpoint = await done("POST", "/webhooks", { url, event_types: ["data.changed"] });
  const delivery = await done("POST", `/webhooks/${endpoint.id}/test`);
  return { webhook_url: url, endpoint_id: endpoint.id, delivery_id: delivery.id };
};

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const execute = promisify(execFile);
const limits = { timeout: 50_000, maxBuffer: 64 * 1024 * 1024 };

/** Runs a sample. @returns what it prints @throws when it fails or a response is an error */
const runners: Record<SampleLanguage, (code: string, variables: Variables) => Promise<string>> = {
  bash: async (code, variables) => {
    const script = `set -euo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; }\n${code}`;
    const env = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name.toUpperCase(), String(value)]),
    );
    return (await execute("bash", ["-c", script], { ...limits, env: { ...process.env, ...env } })).stdout;
  },
  javascript: async (code, variables) => {
    const sample = new Function(...Object.keys(variables).map(camelCase), `return (async () => {\n${code}\n})()`);
    await sample(...Object.values(variables));
    return "";
  },
  python: async (code, variables) => {
    const known = Object.entries(variables).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    return (await execute("python3", ["-c", `${known.join("\n")}\n${code}`], limits)).stdout;
  },
};

const succeeds = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const missing: Record<SampleLanguage, boolean> = {
  bash: !succeeds("curl", "--version") || !succeeds("jq", "--version"),
  javascript: false,
  python: !succeeds("python3", "-c", "import requests"),
};

type Block = { language: SampleLanguage; code: string };

/** The samples of a page, in its order. */
const samplesOn = async (path: string): Promise<Block[]> => {
  const response = await fetch(`${service.url}${path}`);
  expect(response.status).toBe(200);
  const found = (await response.text()).matchAll(/<pre[^>]*data-language="(\w+)"[^>]*><code[^>]*>([\s\S]*?)<\/code>/g);
  return [...found].map(([, language, code]) => ({
    language: language as SampleLanguage,
    code: unescaped(code ?? ""),
  }));
};

const unescaped = (html: string) =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");

const slugs = contracts.map(({ id }) => slugOf(id));

describe.each(["bash", "javascript", "python"] as const)("In %s", (language) => {
  it.skipIf(missing[language]).each(slugs)("the sample of %s runs", async (slug) => {
    const sample = (await samplesOn(`/docs/reference/${slug}`)).find((one) => one.language === language);
    // An address can be registered once.
    const code = sample?.code.replaceAll(/ops@forwarder\.example|"forwarder-ops"/g, (text) =>
      text.startsWith('"') ? `"forwarder-${language}"` : `${language}@forwarder.example`,
    );
    expect(code).toBeDefined();
    await runners[language](code ?? "", await variablesFor(slug));
  });
});

describe("The guides", () => {
  it.skipIf(missing.bash)("lead from registration to a route's data", async () => {
    const samples = await samplesOn("/docs/getting-started");
    expect(samples.length).toBeGreaterThanOrEqual(7);
    // The last response is what counts; the others go elsewhere.
    const last = samples.at(-1)?.code ?? "";
    const before = samples.slice(0, -1).map(({ code }) => code);
    const printed = await runners.bash(`{\n${before.join("\n")}\n} >/dev/null\n${last}`, {});
    expect(JSON.parse(printed)).toMatchObject({ access: { reason: "active" }, reports: expect.any(Array) });
  });

  it.each(guides.map(({ slug }) => slug).filter((slug) => slug !== "getting-started"))(
    "have samples that run: %s",
    async (slug) => {
      for (const { language, code } of await samplesOn(`/docs/${slug}`)) {
        if (!missing[language]) await runners[language](code, await variablesFor(slug));
      }
    },
  );

  it("show the error that the service returns", async () => {
    const page = unescaped(await (await fetch(`${service.url}/docs/errors`)).text());
    const shown = JSON.parse(/<code[^>]*>(\{\s*"success": false[\s\S]*?\n\})<\/code>/.exec(page)?.[1] ?? "null");
    const items = [{ period_id: 0, subscription_term: "1_month" }];
    const { status, ...real } = await api("POST", "/subscriptions/calculate-subscription-price", { items });
    expect(status).toBe(422);
    expect(real).toEqual({ ...shown, request_id: real.request_id });
  });
});

it.skipIf(missing.bash)("The purchase of the README runs", async () => {
  const readme = readFileSync(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8");
  const [, script] = /```bash\n([\s\S]*?)```/.exec(readme) ?? [];
  const printed = await runners.bash((script ?? "").replaceAll("http://localhost:3000", service.url), {});
  expect(JSON.parse(printed)).toMatchObject({ subscriptions: [{ status: "active" }] });
});

describe("The examples of the OpenAPI document", () => {
  const exampleAt = (path: string, method: "get" | "post", status: number): Json => {
    const document: Json = openApiDocument("http://localhost:3000");
    return document.paths[path][method].responses[status].content["application/json"].example;
  };

  it("name routes and periods by the ids that they have in the demo", async () => {
    const [live] = (await api("GET", `/route-access/all-routes?q=${demoRouteCode}`)).routes;
    const [shown] = exampleAt("/route-access/all-routes", "get", 200).routes;
    const facts = ({ id, code, name, trade_lane, route_group, carrier, region }: Json) => [
      [id, code, name],
      ...[trade_lane, route_group, carrier, region].map((one) => [one.id, one.code, one.name]),
    ];
    expect(facts(shown)).toEqual(facts(live));
    expect(shown.periods[0].id).toBe(live.periods[0].id);
    const [line] = exampleAt("/subscriptions/calculate-single-route-price", "post", 200).lines;
    expect([line.route_id, line.route, line.period_id]).toEqual([
      live.id,
      { id: live.id, code: live.code, name: live.name },
      live.periods[0].id,
    ]);
  });

  it.each([
    ["regions", "EAS"],
    ["trade-lanes", "EAS-NEU"],
    ["route-groups", "EAS-NEU-C-CN"],
    ["ports", "CNSHA"],
    ["carriers", "PEL9"],
  ])("name %s by the ids that they have in the demo", async (list, code) => {
    const field = list.replace("-", "_");
    const [shown] = exampleAt(`/catalogue/${list}`, "get", 200)[field];
    const found: Json[] = (await api("GET", `/catalogue/${list}?limit=100&q=${code}`))[field];
    const live = found.find((one) => (one.code ?? one.unlocode) === code);
    expect([shown.id, shown.code ?? shown.unlocode, shown.name]).toEqual([live.id, code, live.name]);
  });

  it("have the messages that the service returns", async () => {
    const messageOf = (name: string): string =>
      (openApiDocument("http://localhost:3000") as Json).components.responses[name].content["application/json"].example
        .message;
    const real = async (path: string, init: RequestInit): Promise<string> => {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...init.headers };
      return (JSON.parse(await (await fetch(`${service.url}/api${path}`, { ...init, headers })).text()) as Json)
        .message;
    };
    const price = "/subscriptions/calculate-single-route-price";
    const post = { method: "POST", body: "{}" };
    expect({
      Malformed: await real(price, { ...post, body: "{" }),
      Unauthenticated: await real(price, { ...post, headers: { Authorization: "Bearer wrong" } }),
      Forbidden: await real(`/route-access/routes-data?id=${demoSample.otherRouteId}`, {}),
      NotFound: await real("/api-keys/2147483647", {}),
      TooLarge: await real(price, { ...post, body: JSON.stringify("x".repeat(70_000)) }),
      UnsupportedMediaType: await real(price, { ...post, headers: { "Content-Type": "text/plain" } }),
      Invalid: await real(price, post),
    }).toEqual(
      Object.fromEntries(
        ["Malformed", "Unauthenticated", "Forbidden", "NotFound", "TooLarge", "UnsupportedMediaType", "Invalid"].map(
          (name) => [name, messageOf(name)],
        ),
      ),
    );
  });
});
