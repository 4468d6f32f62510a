/** Where the bank sends the account holder after a card was saved, with the answer whether renewals are charged to it. */
export const cardReturnUrl = (appUrl: string, forRenewals: boolean): string =>
  `${appUrl}/billing/cards/return?for_renewals=${forRenewals ? "on" : "off"}`;

export const cardSavedInWords = ({ isDefault }: { isDefault: boolean }): string =>
  isDefault ? "The card is saved. Renewals are charged to it." : "The card is saved.";
