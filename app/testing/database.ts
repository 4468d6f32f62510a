/** Its own database for each test file that needs one. */
import { inject } from "vitest";
import { type ClonedDatabase, cloneOf } from "./test-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    testDatabase: { adminUrl: string; template: string };
  }
}

/** An empty database with the current schema. Takes some tens of milliseconds, on disk up to a second. */
export const cloneDatabase = (): Promise<ClonedDatabase> => {
  const { adminUrl, template } = inject("testDatabase");
  return cloneOf(adminUrl, template);
};
