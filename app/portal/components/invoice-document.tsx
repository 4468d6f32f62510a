import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { formatDay, formatMoney } from "../format.ts";
import { coversInWords, type InvoiceView, type LineView, type ReferenceView } from "../invoice-view.ts";
import { Badge } from "./badge.tsx";
import { DescriptionList, type Fact } from "./description-list.tsx";

/** An invoice or credit note, for screen and print. On screen, the page has its title and state. */
export const InvoiceDocument = ({ invoice }: { invoice: InvoiceView }) => (
  <article className="sheet grid gap-8 rounded-xl border border-line bg-surface p-6 shadow-card sm:p-10">
    <header className="hidden flex-wrap items-start justify-between gap-4 print:flex">
      <p className="font-semibold text-ink text-lg leading-6">{invoice.title}</p>
      <InvoiceState invoice={invoice} />
    </header>
    <div className="grid gap-6 text-sm sm:grid-cols-2">
      <Party label="From" name={invoice.issuer.name} lines={[...invoice.issuer.lines, invoice.issuer.site]} />
      <Party
        label="Bill to"
        name={invoice.buyer?.name ?? invoice.account.username}
        lines={invoice.buyer?.lines ?? [invoice.account.email]}
      />
    </div>
    <DescriptionList facts={factsOf(invoice)} />
    {invoice.lines.length > 0 ? <Lines invoice={invoice} /> : <Refund invoice={invoice} />}
    <Totals invoice={invoice} />
    {invoice.reverseCharge ? <p className="text-ink text-sm">{invoice.reverseCharge}</p> : null}
    {invoice.testMode ? <p className="text-muted text-sm">Test mode: no card was charged.</p> : null}
  </article>
);

const Party = ({ label, name, lines }: { label: string; name: string; lines: string[] }) => (
  <div className="wrap-anywhere">
    <p className="text-muted">{label}</p>
    <p className="font-semibold text-ink">{name}</p>
    {lines.map((line) => (
      <p key={line} className="text-ink">
        {line}
      </p>
    ))}
  </div>
);

export const InvoiceState = ({ invoice }: { invoice: InvoiceView }) => {
  if (invoice.kind === "credit_note") return <Badge>Refunded</Badge>;
  if (invoice.dispute?.status === "open") return <Badge tone="warning">Disputed</Badge>;
  if (invoice.dispute?.status === "lost") return <Badge tone="danger">Dispute lost</Badge>;
  if (invoice.creditNotes.length === 0) return <Badge tone="success">Paid</Badge>;
  return <Badge>{invoice.balanceCents === 0 ? "Refunded" : "Partly refunded"}</Badge>;
};

const factsOf = (invoice: InvoiceView): Fact[] => {
  const card = invoice.card ?? "The card used for the payment";
  const isInvoice = invoice.kind === "invoice";
  return [
    { term: isInvoice ? "Issue date" : "Date", description: formatDay(invoice.issuedAt) },
    ...(invoice.refersTo
      ? [{ term: "Refers to", description: <Reference to={invoice.refersTo} kind="Invoice" /> }]
      : []),
    ...(isInvoice ? [{ term: "Due date", description: `${formatDay(invoice.issuedAt)} (due on receipt)` }] : []),
    ...(invoice.paidAt ? [{ term: "Paid on", description: formatDay(invoice.paidAt) }] : []),
    { term: isInvoice ? "Paid with" : "Refunded to", description: card },
    ...(invoice.purchaseOrder ? [{ term: "Your purchase order", description: invoice.purchaseOrder }] : []),
    ...(invoice.dispute ? [{ term: "Dispute", description: invoice.dispute.inWords }] : []),
    { term: "Order", description: `${invoice.orderId}, ${invoice.subject.toLowerCase()}` },
    {
      term: "Account",
      description: (
        <>
          <span className="block">{invoice.account.username}</span>
          <span className="block font-normal text-muted">{invoice.account.email}</span>
        </>
      ),
    },
  ];
};

const Reference = ({ to, kind }: { to: ReferenceView; kind: string }) => (
  <>
    <Link to={`/billing/${to.id}`} prefetch="intent" className="link">
      {kind} {to.number}
    </Link>{" "}
    of {formatDay(to.issuedAt)}
  </>
);

const Lines = ({ invoice }: { invoice: InvoiceView }) => (
  <section aria-label="Lines">
    <ul className="divide-y divide-line border-line border-y">
      {invoice.lines.map((line) => (
        <Line key={line.id} line={line} currency={invoice.currency} />
      ))}
    </ul>
  </section>
);

const Line = ({ line, currency }: { line: LineView; currency: string }) => (
  <li className="break-inside-avoid py-4 text-sm">
    <p className="flex justify-between gap-6 font-semibold text-ink">
      <Link to={line.path} prefetch="intent" className="hover:underline">
        {line.name}
      </Link>
      <span className="tabular-nums">{formatMoney(line.totalCents, currency)}</span>
    </p>
    <p className="text-muted">
      {line.code ? <span className="font-mono text-xs">{line.code}</span> : null}
      {line.covers ? <span className="block">{coversInWords(line.covers)}</span> : null}
      {line.taxRate ? <span className="block">{line.taxRate}</span> : null}
    </p>
    <dl className="mt-2 grid gap-1 text-muted tabular-nums">
      {line.steps.map((step) => (
        <Sum key={step.label} label={step.label}>
          {formatMoney(step.cents, currency)}
        </Sum>
      ))}
    </dl>
  </li>
);

const Refund = ({ invoice }: { invoice: InvoiceView }) => (
  <p className="flex justify-between gap-6 border-line border-y py-4 font-semibold text-ink text-sm">
    <span>Refund of invoice {invoice.refersTo?.number}</span>
    <span className="whitespace-nowrap tabular-nums">{formatMoney(invoice.amountCents, invoice.currency)}</span>
  </p>
);

const Totals = ({
  invoice: { kind, netCents, taxes, amountCents, balanceCents, chargedBackCents, creditNotes, currency },
}: {
  invoice: InvoiceView;
}) => (
  <dl className="grid break-inside-avoid gap-2 text-sm tabular-nums">
    <Sum label="Net amount">{formatMoney(netCents, currency)}</Sum>
    {taxes.map((tax) => (
      <Sum key={tax.label} label={tax.label}>
        {formatMoney(tax.cents, currency)}
      </Sum>
    ))}
    {taxes.length === 0 ? <Sum label="Tax">{formatMoney(0, currency)}</Sum> : null}
    <div className="flex items-baseline justify-between gap-6 font-semibold text-ink">
      <dt className="text-base">{kind === "invoice" ? "Total paid" : "Total refunded"}</dt>
      <dd className="text-xl">{formatMoney(Math.abs(amountCents), currency)}</dd>
    </div>
    {creditNotes.map((note) => (
      <Sum key={note.id} label={<Reference to={note} kind="Credit note" />}>
        {formatMoney(note.amountCents, currency)}
      </Sum>
    ))}
    {chargedBackCents > 0 ? <Sum label="Returned by the bank">{formatMoney(-chargedBackCents, currency)}</Sum> : null}
    {creditNotes.length > 0 || chargedBackCents > 0 ? (
      <div className="flex justify-between gap-6 font-medium text-ink">
        <dt>{chargedBackCents > 0 ? "Balance" : "Balance after refunds"}</dt>
        <dd>{formatMoney(balanceCents, currency)}</dd>
      </div>
    ) : null}
  </dl>
);

const Sum = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div className="flex justify-between gap-6">
    <dt>{label}</dt>
    <dd className="whitespace-nowrap">{children}</dd>
  </div>
);
