/** Test mode's payments: the real gateway over the real SDK, with the simulator at the other end of the line. */
import type { Context } from "../context.ts";
import type { PaymentGateway } from "./gateway.ts";
import { createSimulator, type Simulator, type SimulatorOptions } from "./simulator.server.ts";
import { stripeGateway } from "./stripe.server.ts";

/** Both ends of the line are in this process. */
const secrets = { secretKey: "sk_test_simulator", webhookSecret: "whsec_simulator" };

export const simulatedPayments = (
  ctx: Pick<Context, "db" | "clock" | "random" | "log">,
  options: Pick<SimulatorOptions, "baseUrl" | "deliver">,
): { payments: PaymentGateway; simulator: Simulator } => {
  const simulator = createSimulator(ctx, { ...secrets, ...options });
  const payments = stripeGateway({ ...secrets, fetch: (url, init) => simulator.fetch(new Request(url, init)) });
  return { payments, simulator };
};
