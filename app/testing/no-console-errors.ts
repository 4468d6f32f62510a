/** Fails a test that writes to console.error or console.warn unexpectedly. */
import { afterEach, beforeEach, expect, type MockInstance, vi } from "vitest";

const watched = ["error", "warn"] as const;
let spies: MockInstance<typeof console.error>[] = [];

beforeEach(() => {
  spies = watched.map((method) => vi.spyOn(console, method));
});

/** A test that expects such output mocks the method, or clears the spy's calls. */
afterEach(() => {
  const written = spies.flatMap((spy) => spy.mock.calls.map((call) => call.map(String).join(" ")));
  for (const spy of spies) spy.mockRestore();
  expect(written, "written to console.error or console.warn").toEqual([]);
});
