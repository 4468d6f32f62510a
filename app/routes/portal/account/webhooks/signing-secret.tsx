import { useEffect, useRef } from "react";
import { CodeBlock } from "#app/portal/components/code-block.tsx";

/** The secret, which is shown only once. */
export const SigningSecret = ({ secret }: { secret: string }) => {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label="Signing secret"
      className="grid gap-4 rounded-xl border border-success-line bg-success-soft p-5 focus:outline-none"
      role="status"
    >
      <div>
        <h2 className="font-semibold text-ink">Copy this signing secret now</h2>
        <p className="text-sm">You can see it only once. Your server verifies the signature of each event with it.</p>
      </div>
      <CodeBlock title="Signing secret" code={secret} wrap />
    </section>
  );
};
