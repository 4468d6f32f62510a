/** The locale of the page that is being rendered. */
import { AsyncLocalStorage } from "node:async_hooks";
import { remember } from "../platform/remember.ts";
import { readLocaleFrom, serviceLocale } from "./locale.ts";

const rendering = new AsyncLocalStorage<string>();
readLocaleFrom(() => rendering.getStore() ?? serviceLocale);

/** Renders in this locale, including what is rendered later when its data arrives. */
export const inLocale = <Result>(locale: string, work: () => Result): Result => rendering.run(locale, work);

/**
 * English in the region of the reader's first language, if the runtime knows its conventions: `de` gives `en-DE`.
 * @param acceptLanguage the header
 */
export const localeFor = (acceptLanguage: string | null): string =>
  localeOf(acceptLanguage?.split(",")[0]?.split(";")[0]?.trim() ?? "");

const localeOf = remember((tag: string): string => {
  const region = regionOf(tag);
  if (region === undefined) return serviceLocale;
  const locale = `en-${region}`;
  return isKnown(locale) ? locale : serviceLocale;
});

const regionOf = (tag: string): string | undefined => {
  try {
    return new Intl.Locale(tag).maximize().region;
  } catch {
    return undefined;
  }
};

/** Intl silently falls back to American conventions for an unknown locale. */
const isKnown = (locale: string): boolean => new Intl.NumberFormat(locale).resolvedOptions().locale === locale;
