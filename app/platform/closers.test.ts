import { expect, it } from "vitest";
import { type Closer, counted, createClosers } from "./closers.ts";

const closer = (close: Closer["close"], whenLate: Closer["whenLate"] = () => []): Closer => ({
  limitMs: 20,
  close,
  whenLate,
});

it("closes in reverse order of opening", async () => {
  const closed: string[] = [];
  const closers = createClosers(() => {});
  for (const name of ["database", "service", "requests"]) {
    closers.add(
      closer(async () => {
        closed.push(name);
        return [];
      }),
    );
  }
  expect(await closers.closeAll()).toEqual([]);
  expect(closed).toEqual(["requests", "service", "database"]);
});

it("reports a closer that never ends, and continues", async () => {
  const closers = createClosers(() => {});
  let isClosed = false;
  closers.add(
    closer(async () => {
      isClosed = true;
      return [];
    }),
  );
  closers.add(
    closer(
      () => new Promise(() => {}),
      () => counted(1, "job"),
    ),
  );
  closers.add(closer(async () => counted(2, "request")));
  expect(await closers.closeAll()).toEqual(["2 requests", "1 job"]);
  expect(isClosed).toBe(true);
});

it("reports a closer that fails, and continues", async () => {
  const reported: unknown[] = [];
  const closers = createClosers((error) => reported.push(error));
  closers.add(closer(async () => ["nothing"]));
  closers.add(
    closer(
      async () => {
        throw new Error("stuck");
      },
      () => ["the database"],
    ),
  );
  expect(await closers.closeAll()).toEqual(["the database", "nothing"]);
  expect(reported).toEqual([new Error("stuck")]);
});
