/**
 * The locale of dates, money and numbers: English with the conventions of the reader's region. On the server it belongs to
 * one rendering (locale.server.ts), in the browser to the document (entry.client.tsx). Outside a rendering (receipts, mail,
 * files) it is the service's default.
 */
export const serviceLocale = "en-GB";

let source = (): string => serviceLocale;

/** A BCP 47 tag, such as `en-DE`. */
export const currentLocale = (): string => source();

export const readLocaleFrom = (from: () => string): void => {
  source = from;
};
