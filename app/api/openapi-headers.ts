/** The headers of responses, as the OpenAPI document describes them. */
import type { oas31 } from "zod-openapi";
import { planLimits } from "../domain/plans/plans.ts";
import { longestName, mostNamed } from "./unknown-parameters.ts";

export const headerRef = (name: keyof typeof headers): oas31.ReferenceObject => ({
  $ref: `#/components/headers/${name}`,
});

const counter = (description: string, example: number): oas31.HeaderObject => ({
  description,
  required: true,
  schema: { type: "integer", minimum: 0 },
  example,
});

const { hourly, burst } = planLimits.free;

export const headers = {
  "X-RateLimit-Limit": counter("Requests allowed in the current hour.", hourly),
  "X-RateLimit-Remaining": counter("Requests left in the current hour.", hourly - 13),
  "X-RateLimit-Reset": counter("Unix timestamp, in seconds, at which the hour ends.", 1_795_168_800),
  "RateLimit-Policy": {
    description: "Both limits, per hour and per second, in the format of the IETF draft.",
    schema: { type: "string" },
    example: `"hour";q=${hourly};w=3600, "second";q=${burst};w=1`,
  },
  RateLimit: {
    description: "What is left of both limits, in the format of the IETF draft.",
    schema: { type: "string" },
    example: `"hour";r=${hourly - 13};t=1800, "second";r=${burst - 1};t=1`,
  },
  "X-Request-Id": {
    description: "The request ID, also in the body of every error.",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: "0d5b6a8e-8d5c-4a6e-9f51-0d0b1d6a2f9e",
  },
  ETag: {
    description: "The version of the response. Send it as If-None-Match.",
    required: true,
    schema: { type: "string" },
    example: '"VwCL3Mq1WkJ6cSg7rZ2dFQx9bTn"',
  },
  "X-Request-Cost": {
    ...counter("How many requests the response counts as, toward the rate limit and in the usage log.", 12),
    schema: { type: "integer", minimum: 1 },
  },
  "X-Total-Rows": {
    description: "The number of rows in the file. Not sent with JSON.",
    schema: { type: "integer", minimum: 0 },
    example: 11_872,
  },
  "X-Ignored-Parameters": {
    description: `Query parameters that the endpoint does not know, percent-encoded: up to ${mostNamed} names, the first ${longestName} characters of each. Not sent if there are none.`,
    schema: { type: "string" },
    example: "orgin, utm_source",
  },
  "Preference-Applied": {
    description: "handling=strict, if the request has it in Prefer.",
    schema: { type: "string" },
    example: "handling=strict",
  },
  Deprecation: {
    description:
      "When the endpoint was deprecated, as a Unix timestamp (RFC 9745). Only sent by deprecated endpoints. Link has the policy.",
    schema: { type: "string" },
    example: "@1795305600",
  },
  Sunset: {
    description: "The first day on which a deprecated endpoint may be removed (RFC 8594).",
    schema: { type: "string" },
    example: "Mon, 22 Nov 2027 00:00:00 GMT",
  },
  "Retry-After": {
    ...counter("Seconds to wait before the next attempt.", 42),
    schema: { type: "integer", minimum: 1 },
  },
} satisfies Record<string, oas31.HeaderObject>;

/** The headers of every response. */
export const everywhere = {
  "X-RateLimit-Limit": headerRef("X-RateLimit-Limit"),
  "X-RateLimit-Remaining": headerRef("X-RateLimit-Remaining"),
  "X-RateLimit-Reset": headerRef("X-RateLimit-Reset"),
  "RateLimit-Policy": headerRef("RateLimit-Policy"),
  RateLimit: headerRef("RateLimit"),
  "X-Request-Id": headerRef("X-Request-Id"),
  "X-Ignored-Parameters": headerRef("X-Ignored-Parameters"),
  "Preference-Applied": headerRef("Preference-Applied"),
  Deprecation: headerRef("Deprecation"),
  Sunset: headerRef("Sunset"),
};
