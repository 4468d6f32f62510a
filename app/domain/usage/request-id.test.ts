import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { z } from "zod";
import { instantOfRequest, newRequestId } from "./request-id.ts";

it("is a version 7 UUID that begins with the time of the request", () => {
  const at = new Date("2026-11-20T09:30:00.123Z");
  const id = newRequestId(at);
  expect(z.uuidv7().safeParse(id).success).toBe(true);
  expect(instantOfRequest(id)).toEqual(at);
  expect(newRequestId(at)).not.toBe(id);
});

it("has no time if it is of version 4", () => {
  expect(instantOfRequest(randomUUID())).toBeNull();
});
