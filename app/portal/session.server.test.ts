import { expect, it } from "vitest";
import { safePath } from "./session.server.ts";

it.each([
  ["/subscriptions/12?tab=a&b=c#renew", "/subscriptions/12?tab=a&b=c#renew"],
  ["/routes?q=Gdańsk", "/routes?q=Gda%C5%84sk"],
])("goes on to a page of this site, as a header can name it: %s", (next, path) => {
  expect(safePath(next)).toBe(path);
});

it.each([
  null,
  undefined,
  "",
  "usage",
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\t//evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "//",
  "http:evil.example",
  "/sign-out",
  "/routes/../sign-in",
])("goes to the routes instead of to %j", (next) => {
  expect(safePath(next)).toBe("/routes");
});
