/** Who asks: an account, and how it proved to be it. */
import { notFound } from "../errors.ts";
import type { Plan } from "../plans/plans.ts";

export type Standing = "good" | "suspended";
export type Role = "holder" | "operator";

export type Account = {
  id: number;
  email: string;
  username: string;
  plan: Plan;
  standing: Standing;
  role: Role;
  /** When the present address was proved to be the holder's; null: not yet. */
  emailVerifiedAt: Date | null;
  /** Requests an hour instead of the plan's, where the plan allows it. */
  customHourlyLimit: number | null;
  /** Agreed with sales. */
  customDiscountPercent: number | null;
};

export type SessionProof = { scheme: "bearer" | "portal"; sessionId: string };
export type KeyProof = { scheme: "key"; keyId: number; keyName: string };

export type Caller<Proof = SessionProof | KeyProof> = { account: Account; proof: Proof };

/** Somebody of ours, in good standing: whom verbs that reach into other accounts ask for. Made by `asOperator` alone. */
export type OperatorCaller = Caller<SessionProof> & {
  account: { role: "operator"; standing: "good" };
  readonly [proven]: true;
};
declare const proven: unique symbol;

/** @throws not_found for everybody else, as what is an operator's does not exist for them */
export const asOperator = (caller: Caller<SessionProof>): OperatorCaller => {
  if (!isOperator(caller)) throw notFound("Page");
  return caller;
};

const isOperator = (caller: Caller<SessionProof>): caller is OperatorCaller =>
  caller.account.role === "operator" && caller.account.standing === "good";
