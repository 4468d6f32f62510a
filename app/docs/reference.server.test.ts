import vm from "node:vm";
import { describe, expect, it } from "vitest";
import { contracts } from "../api/contracts/all.ts";
import { termId, terms } from "../portal/components/terms.ts";
import { guideFacts } from "./facts.server.ts";
import { glossary } from "./glossary.ts";
import { guides } from "./guides.ts";
import { llmsText } from "./llms-text.ts";
import { referenceGroups, referenceOperation } from "./reference.server.ts";

const appUrl = "https://routes.example";
const groups = referenceGroups(appUrl);
const slugs = groups.flatMap(({ operations }) => operations.map(({ slug }) => slug));
const operations = slugs.map((slug) => [slug, referenceOperation(appUrl, slug)] as const);

describe("The reference", () => {
  it("has a page for every endpoint, and none for others", () => {
    const listed = groups.flatMap(({ operations }) => operations.map(({ method, path }) => `${method} ${path}`));
    expect(listed.sort()).toEqual(contracts.map(({ method, path }) => `${method} ${path}`).sort());
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(referenceOperation(appUrl, "no-such-endpoint")).toBeNull();
  });

  it.each(operations)("describes %s with samples, parameters, body and responses", (_, operation) => {
    const contract = contracts.find(({ method, path }) => method === operation?.method && path === operation.path);
    expect(operation?.access).toBe(contract?.access);
    expect(operation?.body !== null).toBe(contract?.body !== undefined);
    expect(operation?.responses.map(({ status }) => status)).toContain(contract?.answer.status);
    expect(operation?.responses.every(({ description }) => description !== "")).toBe(true);
    expect(operation?.parameters.every(({ example }) => example !== "undefined")).toBe(true);
    const [curl, javaScript, python] = operation?.samples ?? [];
    // The shell fills in variables between double quotes only.
    const quote = operation?.path.includes("{") ? '"' : "'";
    expect(curl?.code).toContain(`${quote}${appUrl}/api/`);
    expect(() => new vm.Script(`(async () => {\n${javaScript?.code}\n})`)).not.toThrow();
    expect(python?.code).toContain("import requests");
    for (const { language, code } of operation?.samples ?? []) {
      const outsideOfVariables = language === "python" ? code.replace(/f"[^"]*"/g, "") : code;
      expect(outsideOfVariables).not.toMatch(/\/\{\w+\}/);
    }
  });

  it("leaves ids that only the reader has to variables", () => {
    const codes = (slug: string) => referenceOperation(appUrl, slug)?.samples.map(({ code }) => code) ?? [];
    const [curl, javaScript, python] = codes("cancel-subscription");
    expect(curl).toContain(`"${appUrl}/api/subscriptions/$SUBSCRIPTION_ID/cancel"`);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: part of the sample
    expect(javaScript).toContain("/subscriptions/${subscriptionId}/cancel`");
    expect(python).toContain(`f"${appUrl}/api/subscriptions/{subscription_id}/cancel"`);
    const [, inScript, inPython] = codes("payment-success");
    expect(codes("payment-success")[0]).toContain('<<JSON\n{\n  "payment_intent_id": "$PAYMENT_INTENT_ID"\n}\nJSON');
    expect(inScript).toContain('"payment_intent_id": paymentIntentId');
    expect(inPython).toContain('"payment_intent_id": payment_intent_id,');
    const [inShell] = codes("cancel-subscriptions");
    expect(inShell).toContain('"subscription_ids": [\n    $SUBSCRIPTION_ID,\n    $OTHER_SUBSCRIPTION_ID\n  ]');
  });

  it("sends both headers in samples for API keys", () => {
    const operation = referenceOperation(appUrl, "get-route-data-by-key");
    for (const { code } of operation?.samples ?? []) expect(code).toMatch(/X-API-Key[\s\S]*X-Username/);
  });
});

describe("The guides", () => {
  it("quote the figures of the service", () => {
    const { plans, errors, terms } = guideFacts({ appUrl, testMode: true, renewalCapPercent: 10 });
    expect(plans.map(({ name, hourly }) => [name, hourly])).toEqual([
      ["Free", 1000],
      ["Professional", 5000],
      ["Enterprise", 25_000],
    ]);
    expect(errors.map(({ status }) => status)).toEqual([400, 401, 403, 404, 409, 410, 413, 415, 422, 429, 500, 503]);
    expect(terms.at(-1)).toEqual({ term: "12_months", discountPercent: 25 });
  });

  it("explain each term once", () => {
    const ids = glossary.flatMap(({ entries }) => entries.map(({ term }) => termId(term)));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("explain every code that pages show", () => {
    const explained = glossary.flatMap(({ entries }) => entries.map(({ term }) => term));
    expect(explained).toEqual(expect.arrayContaining(Object.keys(terms)));
  });
});

it("llms.txt lists every guide and every endpoint", () => {
  const text = llmsText(appUrl, groups);
  expect(text).toContain(`${appUrl}/api/openapi.json`);
  for (const { slug } of guides) expect(text).toContain(`(${appUrl}/docs/${slug})`);
  for (const slug of slugs) expect(text).toContain(`(${appUrl}/docs/reference/${slug})`);
});
