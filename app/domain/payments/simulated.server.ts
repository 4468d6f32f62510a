/** Payments in test mode: the real gateway and SDK, connected to the simulator. */
import type { Context } from "../context.ts";
import type { PaymentGateway } from "./gateway.ts";
import { createSimulator, type Simulator, type SimulatorOptions } from "./simulator.server.ts";
import { stripeGateway } from "./stripe.server.ts";

export const simulatedPayments = (
  ctx: Pick<Context, "db" | "clock" | "random" | "log">,
  options: Pick<SimulatorOptions, "baseUrl" | "deliver">,
): { payments: PaymentGateway; simulator: Simulator } => {
  // Client and server are this process, so a new secret on every start works, and no other process can sign an event.
  const newSecret = (prefix: string) => prefix + Buffer.from(ctx.random.bytes(24)).toString("hex");
  const secrets = { secretKey: newSecret("sk_test_"), webhookSecret: newSecret("whsec_") };
  const simulator = createSimulator(ctx, { ...secrets, ...options });
  const payments = stripeGateway({ ...secrets, fetch: (url, init) => simulator.fetch(new Request(url, init)) });
  return { payments, simulator };
};
