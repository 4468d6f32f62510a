import { createContext, type ReactNode, useContext, useState } from "react";

/** What the consoles send. Kept in this page's memory only: a reload forgets it. */
export type Credentials = { token: string; apiKey: string; username: string };

type Shared = { credentials: Credentials; change: (part: Partial<Credentials>) => void };

const nothing: Credentials = { token: "", apiKey: "", username: "" };
const Context = createContext<Shared>({ credentials: nothing, change: () => {} });

/** Around all pages of the documentation, so that one console's token serves the next. */
export const CredentialsProvider = ({ children }: { children: ReactNode }) => {
  const [credentials, setCredentials] = useState(nothing);
  const change = (part: Partial<Credentials>) => setCredentials((before) => ({ ...before, ...part }));
  return <Context.Provider value={{ credentials, change }}>{children}</Context.Provider>;
};

export const useCredentials = (): Shared => useContext(Context);
