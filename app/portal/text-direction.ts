const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

export const isRightToLeft = (text: string): boolean => rightToLeft.test(text);

/**
 * A line with Arabic or Hebrew as runs of one direction, in the order in which they are printed from left to right. The
 * first letter decides the direction of the line. A simple form of the Unicode bidirectional algorithm, for names and
 * addresses: no nested quotations, no mirrored brackets.
 */
export const visualRuns = (line: string): string[] => {
  const runs = (line.match(runOfOneDirection) ?? []).map((run) => run);
  const firstLetter = /\p{Letter}/u.exec(line)?.[0] ?? "";
  return isRightToLeft(firstLetter) ? runs.reverse() : runs;
};

/** Words of Arabic and Hebrew with the spaces between them; words of other scripts likewise; what is left in between. */
const runOfOneDirection =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Mark}]+(?:[\s'".,-]+[\p{Script=Hebrew}\p{Script=Arabic}\p{Mark}]+)*|[^\s\p{Script=Hebrew}\p{Script=Arabic}]+(?:\s+[^\s\p{Script=Hebrew}\p{Script=Arabic}]+)*|\s+/gu;
