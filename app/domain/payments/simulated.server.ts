/** Payments in test mode: the real gateway and SDK, connected to the simulator. */
import type { Context } from "../context.ts";
import type { TaxProvider } from "../tax/tax.ts";
import type { PaymentClient, PaymentGateway } from "./gateway.ts";
import { createSimulator, type Simulator, type SimulatorOptions } from "./simulator.server.ts";
import { stripeClient, stripeGateway } from "./stripe.server.ts";
import { stripeTax } from "./stripe-tax.server.ts";

export const simulatedPayments = (
  ctx: Pick<Context, "db" | "clock" | "random" | "log">,
  options: Pick<SimulatorOptions, "baseUrl" | "deliver">,
): {
  payments: PaymentGateway;
  client: PaymentClient;
  simulator: Simulator;
  /** Stripe Tax. */
  taxFor(seller: { country: string }): TaxProvider;
} => {
  // Client and server are this process, so a new secret on every start works, and no other process can sign an event.
  const newSecret = (prefix: string) => prefix + Buffer.from(ctx.random.bytes(24)).toString("hex");
  const secrets = { secretKey: newSecret("sk_test_"), webhookSecret: newSecret("whsec_") };
  const simulator = createSimulator(ctx, { ...secrets, ...options });
  const address = { ...secrets, fetch: (url: string, init: RequestInit) => simulator.fetch(new Request(url, init)) };
  const payments = stripeGateway(address);
  // Clients are recognised by the intent's secret, so any publishable key will do.
  const client = stripeClient("pk_test_simulated", `${options.baseUrl}/test-mode/stripe`);
  return { payments, client, simulator, taxFor: (seller) => stripeTax(address, seller, ctx.clock) };
};
