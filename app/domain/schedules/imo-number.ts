/**
 * Whether a text is an IMO ship number: six digits and a check digit, which is the last digit of their sum weighted from 7
 * down to 2.
 */
export const isImoNumber = (text: string): boolean =>
  /^\d{7}$/.test(text) && imoCheckDigit(text.slice(0, 6)) === text.slice(6);

/** @param digits the first six */
export const imoCheckDigit = (digits: string): string =>
  String([...digits].reduce((sum, digit, index) => sum + Number(digit) * (7 - index), 0) % 10);
