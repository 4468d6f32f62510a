import { createContext, useContext } from "react";

/** Values that only the server has, while it renders. Empty in the browser. */
export type ResponseContext = {
  /** The CSP nonce of inline scripts. Browsers hide it, and it must not be part of loader data. */
  nonce?: string;
  /** Also in `X-Request-Id`. */
  requestId?: string;
};

const Context = createContext<ResponseContext>({});

export const ResponseProvider = Context.Provider;

/** `{ nonce }` for a script's props, or nothing in the browser. */
export const useNonce = (): { nonce?: string } => {
  const { nonce } = useContext(Context);
  return nonce === undefined ? {} : { nonce };
};

/** The request ID of the document if its request failed: see `requestIdMeta` in app/root.tsx. */
export const useFailedRequestId = (): string | undefined => {
  const { requestId } = useContext(Context);
  if (requestId !== undefined || typeof document === "undefined") return requestId;
  return document.querySelector<HTMLMetaElement>(`meta[name="${requestIdMeta}"]`)?.content;
};

export const requestIdMeta = "request-id";
