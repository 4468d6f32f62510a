/** Text with code in `backticks`, as in the API's description. */
export const InlineText = ({ text }: { text: string }) => (
  <>
    {text.split("`").map((part, i) =>
      i % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts are static
        <code key={i} className="font-mono text-[0.875em]">
          {part}
        </code>
      ) : (
        part
      ),
    )}
  </>
);
