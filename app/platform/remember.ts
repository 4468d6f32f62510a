/** Remembers the results of pure functions. */

const mostTexts = 1_000;
const longestText = 300;

/**
 * The same function, which does not compute the results of recent texts again: clients send the same hosts, addresses and queries
 * all day. The texts come from clients, so only short ones are remembered, and only so many.
 *
 * @param of depends on the text alone; its results are shared, so nobody may change them
 */
export const remember = <Result>(of: (text: string) => Result): ((text: string) => Result) => {
  let recent = new Map<string, Result>();
  let older = new Map<string, Result>();
  const keep = (text: string, result: Result): Result => {
    if (text.length > longestText) return result;
    if (recent.size >= mostTexts) [older, recent] = [recent, new Map()];
    recent.set(text, result);
    return result;
  };
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    return keep(text, older.get(text) ?? of(text));
  };
};
