import { z } from "zod";
import { credentialsWithCode, registration } from "../../domain/accounts/credentials.ts";
import { bearerHours } from "../../domain/accounts/policy.ts";
import { counted } from "../../domain/wording.ts";
import { endpoint } from "../endpoint.ts";
import { instant } from "./shapes.ts";

const lifetime = counted(bearerHours, "hour");

export const token = z
  .object({
    access_token: z
      .string()
      .meta({ description: "Send it as Authorization: Bearer …", example: "k4x2mpqh7vd3n6wzc5tjr2yfbs4ge7alu3oi6qdx" }),
    token_type: z.literal("Bearer"),
    expires_at: instant.meta({ description: `${lifetime} after it was issued.` }),
  })
  .meta({ id: "AccessToken" });

export const register = endpoint({
  id: "register",
  tag: "Authentication",
  method: "POST",
  path: "/auth/register",
  access: "public",
  summary: "Create an account",
  description:
    "By registering you accept the terms of service at /terms. We e-mail you a link that confirms the address; you can use the account before you open it.",
  body: registration,
  answer: {
    status: 201,
    description: "The account is created on the free plan. The token signs it in.",
    schema: token,
  },
  refusals: ["conflict"],
  idempotent: true,
});

export const login = endpoint({
  id: "login",
  tag: "Authentication",
  method: "POST",
  path: "/auth/login",
  access: "public",
  summary: "Get a bearer token",
  description:
    "An unknown e-mail, a wrong password, and a wrong or missing two-factor code get the same response. In programs, use API keys: they need no code. Accounts whose only second factor is a passkey need an API key or a recovery code.",
  body: credentialsWithCode,
  answer: { status: 200, description: `A token for ${lifetime}.`, schema: token },
  refusals: ["unauthenticated"],
});

export const refresh = endpoint({
  id: "refresh",
  tag: "Authentication",
  method: "POST",
  path: "/auth/refresh",
  access: "bearer",
  summary: "Exchange a bearer token for a new one",
  description: "Revokes the old token.",
  answer: { status: 200, description: `A new token for ${lifetime}.`, schema: token },
});

export const logout = endpoint({
  id: "logout",
  tag: "Authentication",
  method: "POST",
  path: "/auth/logout",
  access: "bearer",
  summary: "Revoke the bearer token",
  answer: {
    status: 200,
    description: "The token is revoked.",
    schema: z.object({ success: z.literal(true) }),
  },
});
