import { createContext, useContext } from "react";

/** What only the server knows, while it renders this response. In the browser it is empty. */
export type ResponseContext = {
  /** Inline scripts run under it. Browsers hide it, and it must not travel in loader data. */
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

/** The id of the request that brought the document, if it failed: see `requestIdMeta` in app/root.tsx. */
export const useFailedRequestId = (): string | undefined => {
  const { requestId } = useContext(Context);
  if (requestId !== undefined || typeof document === "undefined") return requestId;
  return document.querySelector<HTMLMetaElement>(`meta[name="${requestIdMeta}"]`)?.content;
};

export const requestIdMeta = "request-id";
