import { CopyButton } from "#app/portal/components/copy-button.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { PrintButton } from "#app/portal/components/print-button.tsx";

/** Shown only once, right after the codes are generated. */
export const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => {
  const text = `Shipping Route Data Service: recovery codes, each for one sign-in\n\n${codes.join("\n")}\n`;
  return (
    <section
      aria-labelledby="recovery-codes"
      className="overflow-hidden rounded-xl border border-warning-line bg-surface shadow-card"
    >
      <div className="border-warning-line border-b bg-warning-soft px-5 py-3">
        <h2 id="recovery-codes" tabIndex={-1} className="font-semibold text-warning">
          Save these recovery codes now
        </h2>
        <p className="mt-0.5 text-ink text-sm leading-5.5">
          After your password, each code signs you in once without your phone or passkey. We do not show them again.
        </p>
      </div>
      <ol className="grid gap-x-8 gap-y-1.5 px-5 py-4 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code className="select-all font-mono text-ink">{code}</code>
          </li>
        ))}
      </ol>
      <div className="no-print flex flex-wrap items-center gap-2 border-line border-t bg-canvas px-5 py-3">
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          className="outlined inline-flex min-h-9 items-center gap-2 rounded-lg border border-line-strong bg-surface px-3 font-semibold text-[0.8125rem] text-ink leading-5 shadow-card hover:bg-sunken sm:min-h-8"
        >
          <Icon name="download" className="size-4.5" />
          Download as text
        </a>
        <PrintButton size="small" />
        <CopyButton text={text} what="recovery codes" />
      </div>
    </section>
  );
};
