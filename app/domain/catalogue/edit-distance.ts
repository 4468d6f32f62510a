/**
 * How many letters have to be added, left out, replaced or swapped with their neighbour to turn one word into the other
 * (optimal string alignment). Counting ends at `most`.
 *
 * @returns `most + 1` for anything beyond
 */
export const editDistance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const distance = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      current.push(distance);
      least = Math.min(least, distance);
    }
    if (least > most) return most + 1;
    [beforeLast, last] = [last, current];
  }
  return Math.min(at(last, b.length), most + 1);
};

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;

/** How many typing errors a word of this length may have: none in short ones, which are rather other words. */
export const toleratedErrors = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);
