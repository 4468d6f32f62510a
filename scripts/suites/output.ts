/** Prints the output of concurrent suites one suite after the other. */

export type Output = {
  write(chunk: Buffer): void;
  /** Nothing more will be written. */
  end(): void;
};

export type Print = (text: string | Buffer) => void;

/**
 * The first unfinished suite prints as it runs. The output of later ones is buffered until their turn.
 *
 * @param names the suites in the order of printing
 * @returns a function from a suite's name to its output
 */
export const outputsInOrder = (
  names: readonly string[],
  print: Print = (text) => process.stdout.write(text),
): ((name: string) => Output) => {
  const kept = new Map<string, Buffer[]>(names.map((name) => [name, []]));
  const ended = new Set<string>();
  const headed = new Set<string>();
  let turn = 0;

  const showMore = () => {
    for (let name = names[turn]; name !== undefined; name = names[++turn]) {
      const chunks = kept.get(name)?.splice(0) ?? [];
      if (!headed.has(name) && (chunks.length > 0 || ended.has(name))) {
        print(heading(name));
        headed.add(name);
      }
      for (const chunk of chunks) print(chunk);
      if (!ended.has(name)) return;
    }
  };
  return (name) => ({
    write: (chunk) => {
      kept.get(name)?.push(chunk);
      showMore();
    },
    end: () => {
      ended.add(name);
      showMore();
    },
  });
};

export const heading = (name: string): string => `\n── ${name} ${"─".repeat(Math.max(0, 76 - name.length))}\n`;
