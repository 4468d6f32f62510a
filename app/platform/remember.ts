/** Remembers what was used lately. */

const mostTexts = 1_000;
const longestText = 300;

/**
 * The values that were last used, by key. When `most` new ones have come, those that were not used meanwhile are forgotten, so up to
 * twice as many are kept.
 */
export const recentlyUsed = <Value>(most: number) => {
  let recent = new Map<string, Value>();
  let older = new Map<string, Value>();
  const keep = (key: string, value: Value): Value => {
    if (recent.size >= most) [older, recent] = [recent, new Map()];
    recent.set(key, value);
    return value;
  };
  const find = (key: string): Value | undefined => {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const old = older.get(key);
    return old === undefined ? undefined : keep(key, old);
  };
  const forget = (key: string): void => {
    recent.delete(key);
    older.delete(key);
  };
  return { keep, find, forget };
};

/**
 * The same function, which computes the result of an object once, for as long as the object is in use. Callers share the result.
 *
 * @param of depends on the object alone: on what nobody changes of it, or it makes state that belongs to the object
 */
export const rememberFor = <Key extends object, Result>(of: (key: Key) => Result): ((key: Key) => Result) => {
  const results = new WeakMap<Key, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = of(key);
    results.set(key, result);
    return result;
  };
};

/**
 * The same function, which does not compute the results of recent texts again: clients send the same hosts, addresses and queries
 * all day. Texts may come from clients, so only short ones are remembered, and only so many.
 *
 * @param of depends on the text alone; its results are shared, so nobody may change them
 */
export const remember = <Result>(of: (text: string) => Result): ((text: string) => Result) => {
  const results = recentlyUsed<Result>(mostTexts);
  return (text) => {
    if (text.length > longestText) return of(text);
    const known = results.find(text);
    return known === undefined ? results.keep(text, of(text)) : known;
  };
};
