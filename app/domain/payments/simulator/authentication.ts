import type { Call } from "./call.ts";
import { badRequest, missingParam } from "./failure.ts";

/** The page on which the cardholder approves or refuses. */
export const authenticationPage = ({ baseUrl }: Call, intentId: string, clientSecret: string): string =>
  `${baseUrl}/test-mode/authenticate/${intentId}?${new URLSearchParams({ client_secret: clientSecret })}`;

/** The confirmation's `return_url`, where the cardholder goes afterwards. */
export const returnUrlOf = ({ params }: Call): string | null => {
  const url = params.text("return_url");
  if (url === undefined) return null;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw badRequest("Not a valid URL", { code: "url_invalid", param: "return_url" });
};

export const refuseWrongSecret = ({ params }: Call, secret: string | null, what: string): void => {
  const given = params.text("client_secret");
  if (given === undefined) throw missingParam("client_secret");
  if (given === secret) return;
  throw badRequest(`The client_secret provided does not match the client_secret associated with this ${what}.`, {
    param: "client_secret",
  });
};
