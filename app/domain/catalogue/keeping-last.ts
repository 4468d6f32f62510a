/** Keeps the results of the last different calls. */
export const keepingLast = <Result>(most: number, work: (key: string) => Result): ((key: string) => Result) => {
  const kept = new Map<string, Result>();
  return (key) => {
    const result = kept.get(key) ?? work(key);
    kept.delete(key);
    kept.set(key, result);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return result;
  };
};
