import { providerCallDuration } from "../../platform/metrics/metrics.ts";
import { traced } from "../../platform/tracing.ts";
import type { Clock } from "../clock.ts";
import { Refusal } from "../errors.ts";
import type { PaymentGateway } from "./gateway.ts";
import { unreachableMinutes } from "./policy.ts";

export type WatchedGateway = {
  payments: PaymentGateway;
  /** False from a failed call until one is answered, or until `unreachableMinutes` have passed without a call. */
  isReachable(): boolean;
};

/**
 * The gateway, which also remembers whether the provider responds to the calls of this process.
 *
 * @param tell called after each call without a response, and after the first successful one that follows
 */
export const watchedGateway = (
  gateway: PaymentGateway,
  clock: Clock,
  tell: (answered: boolean) => unknown = () => {},
): WatchedGateway => {
  let failedAt: Date | null = null;
  const answered = () => {
    if (failedAt !== null) tell(true);
    failedAt = null;
  };
  const note = async <T>(operation: string, call: () => Promise<T>): Promise<T> => {
    const begunAt = performance.now();
    const ended = (outcome: "answered" | "failed" | "unavailable") =>
      providerCallDuration.observe({ operation, outcome }, (performance.now() - begunAt) / 1_000);
    try {
      const span = { name: `payment provider ${operation}`, kind: "client" as const, attributes: { operation } };
      const answer = await traced(span, call);
      answered();
      ended("answered");
      return answer;
    } catch (error) {
      if (error instanceof Refusal && error.code === "unavailable") {
        failedAt = clock.now();
        tell(false);
        ended("unavailable");
      } else {
        answered();
        ended("failed");
      }
      throw error;
    }
  };
  const watched = Object.entries(gateway).map(([name, method]) => [
    name,
    (...args: never[]) => note(name, () => (method as (...args: never[]) => Promise<unknown>)(...args)),
  ]);
  return {
    // Events come from the provider; reading one asks it nothing.
    payments: { ...Object.fromEntries(watched), readEvent: gateway.readEvent } as PaymentGateway,
    isReachable: () => isReachableAfter(failedAt, clock.now()),
  };
};

/** @param failedAt when the last call went unanswered; null if the last call was answered */
export const isReachableAfter = (failedAt: Date | null, now: Date): boolean =>
  failedAt === null || now.getTime() - failedAt.getTime() > unreachableMinutes * 60_000;
