/**
 * What the mutation tests change, and the tests that must notice. These tests need no database: thousands of runs would take
 * hours with one. The same rules are also tested through verbs, pages and the API.
 */
const domain = "app/domain/";

/** @type {(folder: string, ...names: string[]) => string[]} */
const within = (folder, ...names) => names.map((name) => `${domain}${folder}${name}`);

/** @type {Record<string, { mutate: string[], tests: string[] }>} */
export const areas = {
  pricing: {
    mutate: [
      ...within("", "money.ts"),
      ...within(
        "pricing/",
        "discounts.ts",
        "own-price.ts",
        "policy.ts",
        "popularity.ts",
        "proration.ts",
        "quote.ts",
        "renewal-price-change.ts",
        "renewal-price.ts",
        "volume-discount.ts",
      ),
    ],
    tests: within("", "money.test.ts", "pricing/*.test.ts"),
  },
  dates: {
    mutate: within("", "dates.ts", "subscriptions/paid-days.ts", "subscriptions/term.ts"),
    tests: within("", "dates.test.ts", "subscriptions/paid-days.test.ts", "subscriptions/term.test.ts"),
  },
  status: {
    mutate: within("", "subscriptions/status.ts", "status/component-states.ts"),
    tests: within("", "subscriptions/status.test.ts", "status/component-states.test.ts"),
  },
  renewal: {
    mutate: within("subscriptions/", "fulfilment-plan.ts", "renewal-failure.ts", "renewal.ts"),
    tests: within("subscriptions/", "fulfilment-plan.test.ts", "renewal-failure.test.ts", "renewal.test.ts"),
  },
  access: {
    mutate: within("", "accounts/caller.ts", "subscriptions/access.ts"),
    tests: within("", "accounts/caller.test.ts", "subscriptions/access.test.ts"),
  },
  "rate-limit": {
    mutate: within("rate-limit/", "charge.ts", "fail-open.server.ts", "memory.ts", "policy.ts"),
    tests: within("rate-limit/", "charge.test.ts", "fail-open.test.ts", "memory.test.ts", "policy.test.ts"),
  },
};

/** The area that this process works on, set by `run.mjs`. */
export const currentArea = () => {
  const name = process.env.MUTATION_AREA ?? "";
  const area = areas[name];
  if (!area) throw new Error(`"${name}" is none of the areas: ${Object.keys(areas).join(", ")}`);
  return { name, ...area };
};
