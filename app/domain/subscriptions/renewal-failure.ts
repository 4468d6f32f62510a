/** Why a renewal was not charged, in words for its holder. */
import { declineInWords, disclosedCode } from "../payments/declines.ts";

export type RenewalFailure = {
  /** The provider's decline code, or one of ours: `no_card`, `card_gone`, `not_charged`. */
  code: string;
  /** What happened, and what to do next. */
  message: string;
  at: Date;
};

/** The bank wants the cardholder to authenticate the payment (SCA). */
export const needsAuthentication = (code: string | null): boolean =>
  code === "authentication_required" || code === "requires_action";

/** There was no card to charge. */
export const lacksCard = (code: string | null): boolean => code === "no_card" || code === "card_gone";

export const renewalFailure = (declineCode: string | null, at: Date): RenewalFailure => ({
  code: disclosedCode(declineCode),
  message: declineInWords(declineCode),
  at,
});
