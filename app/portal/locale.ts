/**
 * The conventions in which dates, money and numbers are shown: English words, the reader's region. On the server they
 * belong to one rendering (locale.server.ts), in the browser to the document (entry.client.tsx). Whatever formats
 * outside of a rendering (receipts, mail, files) gets the service's own.
 */
export const serviceLocale = "en-GB";

let source = (): string => serviceLocale;

/** A BCP 47 tag, such as `en-DE`. */
export const currentLocale = (): string => source();

export const readLocaleFrom = (from: () => string): void => {
  source = from;
};
