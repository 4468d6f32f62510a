import type { OpenSession } from "../../domain/accounts/session.server.ts";
import { isoInstant } from "../../domain/dates.ts";

export const tokenDocument = ({ token, expiresAt }: Pick<OpenSession, "token" | "expiresAt">) => ({
  access_token: token,
  token_type: "Bearer" as const,
  expires_at: isoInstant(expiresAt),
});
