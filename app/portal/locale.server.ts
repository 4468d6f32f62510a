/** Whose conventions a page is rendered in. */
import { AsyncLocalStorage } from "node:async_hooks";
import { readLocaleFrom, serviceLocale } from "./locale.ts";

const rendering = new AsyncLocalStorage<string>();
readLocaleFrom(() => rendering.getStore() ?? serviceLocale);

/** Whatever `work` renders, now or when its data arrives, is shown in this locale. */
export const inLocale = <Result>(locale: string, work: () => Result): Result => rendering.run(locale, work);

/**
 * English in the region of the reader's first language, as far as its conventions are known: `de` is `en-DE`.
 * @param acceptLanguage the header
 */
export const localeFor = (acceptLanguage: string | null): string => {
  const region = regionOf(acceptLanguage?.split(",")[0]?.split(";")[0]?.trim() ?? "");
  if (region === undefined) return serviceLocale;
  const locale = `en-${region}`;
  return isKnown(locale) ? locale : serviceLocale;
};

const regionOf = (tag: string): string | undefined => {
  try {
    return new Intl.Locale(tag).maximize().region;
  } catch {
    return undefined;
  }
};

/** An unknown one would quietly be American. */
const isKnown = (locale: string): boolean => new Intl.NumberFormat(locale).resolvedOptions().locale === locale;
