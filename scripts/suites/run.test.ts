import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { runAll } from "./run.ts";
import type { Suite } from "./suites.ts";

const shell = (script: string): Suite["command"] => ["sh", "-c", script];

/** The printed lines without headings, and the outcomes without times. */
const run = async (suites: Suite[], cores: number) => {
  let printed = "";
  const print = (text: string | Buffer) => {
    printed += text;
  };
  const outcomes = await runAll(suites, { cores, print });
  return {
    lines: printed.split("\n").filter((line) => line !== "" && !line.startsWith("──")),
    outcomes: outcomes.map(({ seconds: _, ...outcome }) => outcome),
  };
};

it.each([1, 2, 8])("A suite that fails does not stop the rest, on %i cores", async (cores) => {
  const { lines, outcomes } = await run(
    [
      { name: "first", command: shell("echo one; exit 3") },
      { name: "build", command: shell("exit 1") },
      { name: "not-there", command: ["/no/such/program"] },
      { name: "journeys", command: shell("echo never"), needs: ["build"] },
      { name: "skipped", command: shell("echo never"), missing: () => "no browser" },
      {
        name: "mute",
        command: shell("true"),
        counts: () => {
          throw new Error("There is no report");
        },
      },
      { name: "counted", command: shell("echo broken; exit 1"), counts: () => ({ passed: 7, failed: 0, skipped: 2 }) },
      { name: "last", command: shell("echo two") },
    ],
    cores,
  );
  expect(outcomes).toEqual([
    { name: "first", passed: 0, failed: 1, skipped: 0, failures: ["one"] },
    { name: "build", passed: 0, failed: 1, skipped: 0, failures: [] },
    { name: "not-there", passed: 0, failed: 1, skipped: 0, failures: [expect.stringContaining("cannot be started")] },
    { name: "journeys", passed: 0, failed: 1, skipped: 0, reason: '"build" failed' },
    { name: "skipped", passed: 0, failed: 0, skipped: 1, reason: "no browser" },
    { name: "mute", passed: 0, failed: 1, skipped: 0, reason: "it left no report" },
    // It fails beyond its tests.
    { name: "counted", passed: 7, failed: 1, skipped: 2, failures: ["broken"] },
    { name: "last", passed: 1, failed: 0, skipped: 0 },
  ]);
  expect(lines).toEqual(["one", expect.stringContaining("/no/such/program cannot be started"), "broken", "two"]);
});

it("A suite waits for those it needs, and two run concurrently if there are cores for both", async () => {
  // Each waits for the other's file, so that neither ends unless both run.
  const meet = (own: string, other: string) =>
    shell(`touch "$MEETING/${own}"; until [ -e "$MEETING/${other}" ]; do sleep 0.05; done; echo ${own}`);
  const env = { MEETING: mkdtempSync(path.join(tmpdir(), "suites-")) };
  try {
    const { lines } = await run(
      [
        { name: "a", command: meet("a", "b"), env },
        { name: "b", command: meet("b", "a"), env },
        { name: "c", command: shell('[ -e "$MEETING/a" ] && echo c'), env, needs: ["a"] },
      ],
      2,
    );
    expect(lines).toEqual(["a", "b", "c"]);
  } finally {
    rmSync(env.MEETING, { recursive: true });
  }
});

it("An interrupted run lets the running suite end, and starts no other", async () => {
  const interruption = new AbortController();
  const outcomes = await runAll(
    [
      { name: "running", command: shell("echo started; exit 3") },
      { name: "next", command: shell("echo never") },
    ],
    {
      cores: 1,
      print: (text) => {
        if (String(text).includes("started")) interruption.abort();
      },
      signal: interruption.signal,
    },
  );
  expect(outcomes.map(({ name, failed }) => [name, failed])).toEqual([["running", 1]]);
});
