import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { formatDay, formatMoney } from "../format.ts";
import { coversInWords, type InvoiceView, type LineView, type ReferenceView } from "../invoice-view.ts";
import { Badge } from "./badge.tsx";
import { DescriptionList, type Fact } from "./description-list.tsx";

/** An invoice or credit note, for screen and print. */
export const InvoiceDocument = ({ invoice }: { invoice: InvoiceView }) => (
  <article className="sheet grid gap-8 rounded-xl border border-line bg-surface p-6 shadow-card sm:p-10">
    <header className="flex flex-wrap items-start justify-between gap-4">
      <div>
        <p className="font-semibold text-ink text-lg leading-6">{invoice.issuer.name}</p>
        <p className="text-muted text-sm">{invoice.issuer.site}</p>
      </div>
      <div className="sm:text-right">
        <p className="font-semibold text-ink text-lg leading-6">{invoice.title}</p>
        <p className="mt-1">
          <State invoice={invoice} />
        </p>
      </div>
    </header>
    <DescriptionList facts={factsOf(invoice)} />
    {invoice.lines.length > 0 ? <Lines invoice={invoice} /> : <Refund invoice={invoice} />}
    <Totals invoice={invoice} />
    {invoice.testMode ? <p className="text-muted text-sm">Test mode: no card was charged.</p> : null}
  </article>
);

const State = ({ invoice }: { invoice: InvoiceView }) => {
  if (invoice.kind === "credit_note") return <Badge>Refunded</Badge>;
  if (invoice.creditNotes.length === 0) return <Badge tone="success">Paid</Badge>;
  return <Badge>{invoice.balanceCents === 0 ? "Refunded" : "Partly refunded"}</Badge>;
};

const factsOf = (invoice: InvoiceView): Fact[] => [
  { term: "Date", description: formatDay(invoice.issuedAt) },
  {
    term: "Account",
    description: (
      <>
        <span className="block">{invoice.account.username}</span>
        <span className="block font-normal text-muted">{invoice.account.email}</span>
      </>
    ),
  },
  { term: "Order", description: `${invoice.orderId}, ${invoice.subject.toLowerCase()}` },
  {
    term: invoice.kind === "invoice" ? "Paid with" : "Refunded to",
    description: invoice.card ?? "The card of the payment",
  },
  ...(invoice.refersTo ? [{ term: "Refers to", description: <Reference to={invoice.refersTo} kind="Invoice" /> }] : []),
];

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
      <Link to={`/routes/${line.routeId}`} prefetch="intent" className="hover:underline">
        {line.routeName}
      </Link>
      <span className="tabular-nums">{formatMoney(line.totalCents, currency)}</span>
    </p>
    <p className="text-muted">
      <span className="font-mono text-xs">{line.routeCode}</span>
      {line.covers ? <span className="block">{coversInWords(line.covers)}</span> : null}
    </p>
    <dl className="mt-2 grid gap-1 text-muted tabular-nums">
      {line.steps.map((step) => (
        <Sum key={step.label} label={step.label}>
          {signed(step.cents, currency)}
        </Sum>
      ))}
    </dl>
  </li>
);

const Refund = ({ invoice }: { invoice: InvoiceView }) => (
  <p className="flex justify-between gap-6 border-line border-y py-4 font-semibold text-ink text-sm">
    <span>Refund of invoice {invoice.refersTo?.number}</span>
    <span className="whitespace-nowrap tabular-nums">{signed(invoice.amountCents, invoice.currency)}</span>
  </p>
);

const Totals = ({ invoice: { kind, amountCents, balanceCents, creditNotes, currency } }: { invoice: InvoiceView }) => (
  <dl className="grid break-inside-avoid gap-2 text-sm tabular-nums">
    <div className="flex items-baseline justify-between gap-6 font-semibold text-ink">
      <dt className="text-base">{kind === "invoice" ? "Total paid" : "Total refunded"}</dt>
      <dd className="text-xl">{formatMoney(Math.abs(amountCents), currency)}</dd>
    </div>
    {creditNotes.map((note) => (
      <Sum key={note.id} label={<Reference to={note} kind="Credit note" />}>
        {signed(note.amountCents, currency)}
      </Sum>
    ))}
    {creditNotes.length > 0 ? (
      <div className="flex justify-between gap-6 font-medium text-ink">
        <dt>Left after refunds</dt>
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

const signed = (cents: number, currency: string): string =>
  cents < 0 ? `−${formatMoney(-cents, currency)}` : formatMoney(cents, currency);
