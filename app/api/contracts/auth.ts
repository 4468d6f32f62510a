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
  summary: "Open an account",
  description: "A link that confirms the e-mail address is mailed to it; nothing waits for it to be opened.",
  body: registration,
  answer: { status: 201, description: "The account is open, on the free plan, and logged in.", schema: token },
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
    "The answer to an unknown e-mail, to a wrong password, and to a code that is wrong or missing where the account asks for one is the same. Programs are better served by API keys, which need no code.",
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
  summary: "Exchange a running bearer token for a fresh one",
  description: "The old token is revoked.",
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
    description: "The token is worth nothing any more.",
    schema: z.object({ success: z.literal(true) }),
  },
});
