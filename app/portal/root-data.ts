import type { Toast } from "./toast.ts";

/** What every page knows: the root loader's answer. */
export type RootData = {
  /** Null: nobody is signed in. */
  account: { username: string; email: string; isEmailVerified: boolean; role: "holder" | "operator" } | null;
  /** Routes in the basket. */
  basketCount: number;
  /** Payments are simulated, and every page has to say so. */
  testMode: boolean;
  /** The reader's own choice; without it the system's preference decides. */
  theme?: "light" | "dark" | undefined;
  /** Whether shortcuts of a single key are on. */
  singleKeys: boolean;
  /** What has just been done. */
  toast?: Toast | undefined;
};
