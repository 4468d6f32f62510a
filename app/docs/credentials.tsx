import { createContext, type ReactNode, useContext, useState } from "react";

/** The credentials that the consoles send. Kept in memory only, so a reload forgets them. */
export type Credentials = { token: string; apiKey: string; username: string };

type Shared = { credentials: Credentials; change: (part: Partial<Credentials>) => void };

const nothing: Credentials = { token: "", apiKey: "", username: "" };
const Context = createContext<Shared>({ credentials: nothing, change: () => {} });

/** Wraps all pages of the documentation, so that the consoles share one token. */
export const CredentialsProvider = ({ children }: { children: ReactNode }) => {
  const [credentials, setCredentials] = useState(nothing);
  const change = (part: Partial<Credentials>) => setCredentials((before) => ({ ...before, ...part }));
  return <Context.Provider value={{ credentials, change }}>{children}</Context.Provider>;
};

export const useCredentials = (): Shared => useContext(Context);
