/** OWASP API3:2023: clients can neither set properties that are not theirs, nor read those that are nobody's. */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { bodyOf, named, urlOf } from "../../testing/contract-requests.ts";
import { liveApi } from "../../testing/live-api.ts";
import { contracts } from "../contracts/all.ts";

const { send, register } = liveApi(inject("services").server);

let account: Awaited<ReturnType<typeof register>>;
beforeAll(async () => {
  account = await register();
}, 60_000);

/** Properties of accounts, orders and keys that only the service sets. */
const foreign = {
  id: 1,
  account_id: 1,
  role: "operator",
  is_operator: true,
  plan: "enterprise",
  standing: "good",
  custom_hourly_limit: 1_000_000,
  custom_discount_percent: 100,
  amount_cents: 1,
  total_cents: 1,
  discount_percent: 100,
  email_verified_at: "2026-01-01T00:00:00Z",
  created_at: "2026-01-01T00:00:00Z",
  secret_hash: "00",
};

describe.each(named(contracts.filter(({ body, path }) => body !== undefined && path !== "/auth/register")))(
  "%s",
  (_, contract) => {
    it("does not accept properties that its contract does not declare", async () => {
      const body = bodyOf(contract) ?? {};
      const added = Object.fromEntries(Object.entries(foreign).filter(([name]) => !(name in body)));
      const { status, json } = await send(contract.method, urlOf(contract, {}), {
        token: account.token,
        body: { ...body, ...added },
      });
      expect(status).toBe(422);
      expect(json.errors.map(({ path }: { path: string }) => path.split(".").at(-1))).toContain("role");
    });
  },
);

it("A registration cannot choose its plan or role", async () => {
  const body = { email: "greedy@example.com", username: "greedy-one", password: "a long pass phrase" };
  const refused = await send("POST", "/api/auth/register", { body: { ...body, ...foreign } });
  expect(refused.status).toBe(422);
});

/** Of what the database knows, what no response may have. */
const hidden =
  /"(?:password\w*|secret_hash|sealed\w*|token_hash|stripe_customer_id|payment_method_id|recovery_codes?|ip_address|session_id)"/i;

describe.each(
  named(
    contracts.filter(({ method, path }) => method === "GET" && !path.includes("{") && !/events|openapi/.test(path)),
  ),
)("%s", (_, contract) => {
  it("returns nothing that is the service's own", async () => {
    const { text } = await send("GET", urlOf(contract, {}), { token: account.token });
    expect(text).not.toMatch(hidden);
    expect(text).not.toContain(account.password);
  });
});
