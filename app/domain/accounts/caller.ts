/** Who asks: an account, and how it proved to be it. */
export const plans = ["free", "professional", "enterprise"] as const;
export type Plan = (typeof plans)[number];
export type Standing = "good" | "suspended";
export type Role = "holder" | "operator";

export type Account = {
  id: number;
  email: string;
  username: string;
  plan: Plan;
  standing: Standing;
  role: Role;
  /** Requests an hour instead of the plan's; enterprise only. */
  customHourlyLimit: number | null;
  /** Agreed with sales. */
  customDiscountPercent: number | null;
};

export type SessionProof = { scheme: "bearer" | "portal"; sessionId: string };
export type KeyProof = { scheme: "key"; keyId: number; keyName: string };

export type Caller<Proof = SessionProof | KeyProof> = { account: Account; proof: Proof };
