/** Filters the invoices and credit notes of the billing page by its query parameters. */
type Kind = "invoice" | "credit_note";

type Listed = { number: string; kind: Kind; issuedAt: string; routes: readonly string[] };

/** Newest first. Unknown values are ignored. */
export const selected = <Row extends Listed>(rows: readonly Row[], params: Record<string, string | undefined>) => {
  const kind: Kind | null = params.kind === "invoice" || params.kind === "credit_note" ? params.kind : null;
  const years = [...new Set(rows.map(yearOf))].sort().reverse();
  const year = years.find((one) => one === params.year) ?? null;
  const q = (params.q ?? "").trim();
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return {
    rows: rows
      .filter((row) => kind === null || row.kind === kind)
      .filter((row) => year === null || yearOf(row) === year)
      .filter((row) => {
        const text = [row.number, ...row.routes].join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
      })
      .sort((a, b) => (a.issuedAt < b.issuedAt ? 1 : a.issuedAt > b.issuedAt ? -1 : 0)),
    kind,
    year,
    years,
    q,
    isNarrowed: kind !== null || year !== null || words.length > 0,
  };
};

const yearOf = ({ issuedAt }: Listed): string => issuedAt.slice(0, 4);
