/** With Stripe's keys there is no test mode: its paths do not exist, and the payment simulator is not loaded. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../testing/free-port.ts";
import { type Service, startService } from "../../testing/service.ts";

/** Tells on standard error which modules the process loads. */
const hook = `export const load = async (url, context, next) => {
  process.stderr.write("loaded " + url + "\\n");
  return next(url, context);
};`;
const asData = (script: string) => `data:text/javascript,${encodeURIComponent(script)}`;
const observed = {
  NODE_OPTIONS: `--import=${asData(`import { register } from "node:module"; register(${JSON.stringify(asData(hook))});`)}`,
};

let real: Service;
let simulated: Service;
beforeAll(async () => {
  simulated = await startService({ env: observed });
  real = await startService({
    databaseUrl: simulated.databaseUrl,
    env: {
      ...observed,
      STRIPE_SECRET_KEY: `sk_test_${"0".repeat(24)}`,
      STRIPE_PUBLISHABLE_KEY: `pk_test_${"0".repeat(24)}`,
      STRIPE_WEBHOOK_SECRET: `whsec_${"0".repeat(24)}`,
      // Nobody listens there.
      STRIPE_API_BASE_URL: `http://127.0.0.1:${await freePort()}`,
    },
  });
});
afterAll(async () => {
  await real?.stop();
  await simulated?.stop();
});

const loaded = ({ output }: Service): string[] =>
  [...output().matchAll(/loaded \S*\/build\/server\/(\S+)/g)].map(([, file = ""]) => file);

const paths: [method: string, path: string][] = [
  ["GET", "/test-mode/clock"],
  ["POST", "/test-mode/clock"],
  ["GET", "/test-mode/mailbox"],
  ["GET", "/test-mode/mailbox.json"],
  ["GET", "/test-mode/mailbox/1"],
  ["GET", "/test-mode/time-machine"],
  ["POST", "/test-mode/time-machine"],
  ["GET", "/test-mode/authenticate/pi_1"],
  ["POST", "/test-mode/authenticate/pi_1"],
  ["GET", "/test-mode/stripe/v1/payment_intents/pi_1"],
  ["POST", "/test-mode/stripe/v1/payment_intents/pi_1/confirm"],
  ["GET", "/test-mode/mailbox.data"],
];

it.each(paths)("%s %s is 404 with Stripe's keys", async (method, path) => {
  const response = await fetch(real.url + path, {
    method,
    ...(method === "POST" ? { body: new URLSearchParams({ intent: "authenticate" }) } : {}),
  });
  expect(response.status).toBe(404);
});

it("The simulator is loaded in test mode only, also after calls that would reach it", async () => {
  await Promise.all(paths.map(([method, path]) => fetch(real.url + path, { method })));
  const isSimulator = (file: string) => file.includes("simulated");
  expect(loaded(simulated).filter(isSimulator)).toHaveLength(1);
  expect(loaded(real).length).toBeGreaterThan(0);
  expect(loaded(real).filter(isSimulator)).toEqual([]);
});
