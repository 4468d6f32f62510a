/** The service as the portal's loaders and actions get it, on its own database, with a signed-in account. */
import { createCookie } from "@remix-run/node";
import { vi } from "vitest";
import { readDemoCatalogue } from "#drizzle/seed/catalogue-files.ts";
import { getService, stop } from "../context.server.ts";
import { register } from "../domain/accounts/register.server.ts";
import { openSession } from "../domain/accounts/session.server.ts";
import { browse } from "../domain/catalogue/browse.server.ts";
import { importCatalogue } from "../domain/catalogue/import.server.ts";
import { dayOf } from "../domain/dates.ts";
import { cloneDatabase } from "./database.ts";

/** Opens it with routes of the demo on sale. `close` ends the service and drops the database. */
export const openPortalService = async (username: string, routeCodes = ["C-CNSHA-NLRTM-PEL9"]) => {
  const database = await cloneDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("SECRETS_KEY", Buffer.alloc(32, "tests").toString("base64"));
  const service = await getService();
  const { ctx } = service;
  const { source } = readDemoCatalogue({ today: dayOf(ctx.clock.now()), routeCodes });
  await importCatalogue(ctx, source);
  const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
  const input = { email: `${username}@example.com`, username, password: "correct horse battery" };
  const account = await register(ctx, input, origin);
  const { token } = await openSession(ctx, account, "portal", origin);
  const { rows } = await browse(ctx, {}, { limit: 1 });
  return {
    service,
    caller: { account, proof: { scheme: "portal" as const, sessionId: "" } },
    cookie: (await createCookie("srds_session").serialize(token)).split(";")[0] ?? "",
    periodId: rows[0]?.periods[0]?.id ?? 0,
    close: async () => {
      await stop();
      await database.drop();
    },
  };
};
