/** The caller of a verb: an account, and how it was authenticated. */
import type { Day } from "../dates.ts";
import { forbidden, notFound } from "../errors.ts";
import type { Plan } from "../plans/plans.ts";
import type { roles, standings } from "./enums.ts";

export type Standing = (typeof standings)[number];
export type Role = (typeof roles)[number];

export type Account = {
  id: number;
  email: string;
  username: string;
  plan: Plan;
  standing: Standing;
  role: Role;
  /** When the current address was verified. Null: not yet. */
  emailVerifiedAt: Date | null;
  /** Requests an hour instead of the plan's, where the plan allows it. */
  customHourlyLimit: number | null;
  /** Agreed with sales. `agreedPercentOn` says whether it applies. */
  customDiscountPercent: number | null;
  /** The last day of the agreed discount. Null: until an operator ends it. */
  customDiscountThrough: Day | null;
};

export type SessionProof = {
  scheme: "bearer" | "portal";
  sessionId: string;
  /** When the session's holder last passed the password, and the second factor if there was one. Absent: long ago. */
  authenticatedAt?: Date;
};
export type KeyProof = {
  scheme: "key";
  keyId: number;
  keyName: string;
  hourlyLimit: number | null;
  /** The client's address, if the key does not accept requests from it. Then nothing is done but to log the request. */
  refusedAddress: string | null;
};

export type Caller<Proof = SessionProof | KeyProof> = { account: Account; proof: Proof };

/** Suspended accounts cannot buy, renew or change a term. @throws forbidden */
export const requireGoodStanding = ({ standing }: Pick<Account, "standing">): void => {
  if (standing === "suspended") throw forbidden();
};

/** An operator in good standing. Verbs that act on other accounts require it. Only `asOperator` creates one. */
export type OperatorCaller = Caller<SessionProof> & {
  account: { role: "operator"; standing: "good" };
  readonly [proven]: true;
};
declare const proven: unique symbol;

/** Who changes the catalogue: an operator in the console, or a user of the machine by command. */
export type CatalogueEditor = OperatorCaller | { machineUser: string };

/** @throws not_found for everyone else: the console does not exist for them */
export const asOperator = (caller: Caller<SessionProof>): OperatorCaller => {
  if (!isOperator(caller)) throw notFound("Page");
  return caller;
};

const isOperator = (caller: Caller<SessionProof>): caller is OperatorCaller =>
  caller.account.role === "operator" && caller.account.standing === "good";
