/** Text in which `backticks` mark code, as the API's description writes it. */
export const InlineText = ({ text }: { text: string }) => (
  <>
    {text.split("`").map((part, i) =>
      i % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
        <code key={i} className="font-mono text-[0.875em]">
          {part}
        </code>
      ) : (
        part
      ),
    )}
  </>
);
