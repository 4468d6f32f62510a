/** What is wrong with a file, and where. `column` is empty if the error concerns the whole line. */
export type CellError = { line: number; column: string; value: string; message: string };
