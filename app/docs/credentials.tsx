import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { createdKeyOf, keepCreatedKey } from "../portal/components/created-key.ts";

/** The credentials that the consoles send. A token is kept in memory; a key that was created in this tab, with the tab. */
export type Credentials = { token: string; apiKey: string; username: string };

type Shared = {
  credentials: Credentials;
  change: (part: Partial<Credentials>) => void;
  /** For the other pages as well. */
  keepKey: (key: { secret: string; user: string }) => void;
};

const Context = createContext<Shared | null>(null);

type Props = {
  /** Username of the account that is signed in. */
  account: string | null;
  children: ReactNode;
};

/** Wraps all pages of the documentation, so that the consoles share one token. Give it the account as its key. */
export const CredentialsProvider = ({ account, children }: Props) => {
  const [credentials, setCredentials] = useState<Credentials>({ token: "", apiKey: "", username: account ?? "" });
  const change = (part: Partial<Credentials>) => setCredentials((before) => ({ ...before, ...part }));
  useEffect(() => {
    const key = createdKeyOf(account);
    if (key) setCredentials((before) => ({ ...before, apiKey: key.secret, username: key.user }));
  }, [account]);
  const keepKey = ({ secret, user }: { secret: string; user: string }) => {
    keepCreatedKey({ account, secret, user });
    change({ apiKey: secret, username: user });
  };
  return <Context.Provider value={{ credentials, change, keepKey }}>{children}</Context.Provider>;
};

export const useCredentials = (): Shared => {
  const shared = useContext(Context);
  if (!shared) throw new Error("A console is outside of CredentialsProvider");
  return shared;
};
