/**
 * The API key that was created in this tab, for the consoles of the documentation. The browser keeps it until the tab is
 * closed; the service stores only its hash.
 */
import { useRouteLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import type { RootData } from "../root-data.ts";

type Key = { secret: string /** Sent as X-Username. */; user: string };

type CreatedKey = Key & {
  /** Username of the account that created it. Null: created in a console, by somebody who is not signed in here. */
  account: string | null;
};

const name = "srds_created_key";

export const keepCreatedKey = (key: CreatedKey): void => {
  try {
    sessionStorage.setItem(name, JSON.stringify(key));
  } catch {
    // Storage is turned off: the reader enters the key.
  }
};

/** Deletes the key of another account. */
export const createdKeyOf = (account: string | null): CreatedKey | null => {
  try {
    const key = JSON.parse(sessionStorage.getItem(name) ?? "null") as CreatedKey | null;
    if (key === null || key.account === account) return key;
    sessionStorage.removeItem(name);
  } catch {
    // As above.
  }
  return null;
};

/** Keeps the key that the page shows. */
export const useCreatedKey = ({ secret, user }: Key): void => {
  const account = useRouteLoaderData<RootData>("root")?.account?.username ?? null;
  useEffect(() => keepCreatedKey({ account, secret, user }), [account, secret, user]);
};
