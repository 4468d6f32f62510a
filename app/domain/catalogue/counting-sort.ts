/**
 * Sorts rows by a whole number of each, from the lowest on. Rows of equal number keep their order.
 *
 * @param numbers by row, each below `end`
 * @returns also where the rows of each number start; those of `n` end before `starts[n + 1]`
 */
export const countingSort = (
  rows: Uint32Array,
  numbers: Uint16Array | Uint32Array,
  end: number,
): { sorted: Uint32Array; starts: Uint32Array } => {
  const starts = new Uint32Array(end + 1);
  for (let at = 0; at < rows.length; at++) (starts[(numbers[rows[at] as number] as number) + 1] as number) += 1;
  for (let number = 0; number < end; number++) (starts[number + 1] as number) += starts[number] as number;
  const next = starts.slice();
  const sorted = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const number = numbers[row] as number;
    const index = next[number] as number;
    sorted[index] = row;
    next[number] = index + 1;
  }
  return { sorted, starts };
};
