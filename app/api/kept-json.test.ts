import { describe, expect, it } from "vitest";
import { z } from "zod";
import fc from "../testing/property-testing.ts";
import { jsonArray, jsonObject, jsonText, keptJson } from "./kept-json.ts";

describe("JSON from parts", () => {
  it("is what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), (rows, next) => {
        const written = jsonObject({ rows: jsonArray(rows.map(jsonText)), next: jsonText(next) });
        expect(String(written)).toBe(JSON.stringify({ rows, next }));
      }),
    );
  });

  it("keeps the order of its members, and writes text in UTF-8", () => {
    const written = jsonObject({
      b: jsonText("Nhava Sheva – Yantian"),
      a: undefined,
      c: jsonArray([jsonText(null), jsonText(2)]),
    });
    expect(written.toString("utf8")).toBe('{"b":"Nhava Sheva – Yantian","c":[null,2]}');
    expect(String(jsonObject({}))).toBe("{}");
  });
});

describe("Kept JSON", () => {
  const documents: object[] = [];
  const json = keptJson(z.object({ name: z.string() }), (route: { name: string; secret: string }) => {
    documents.push(route);
    return route;
  });

  it("is written once for an object, as the schema says", () => {
    const route = { name: "Shanghai – Rotterdam", secret: "not in the schema" };
    expect(String(json(route))).toBe('{"name":"Shanghai – Rotterdam"}');
    expect(json(route)).toBe(json(route));
    expect(documents).toEqual([route]);
    expect(String(json({ ...route, name: "another" }))).toBe('{"name":"another"}');
  });
});
