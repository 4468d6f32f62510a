/** Finds the routes that match the terms of a search, and how well. */
import type { Column, Columns } from "./search-columns.ts";
import { mostRowsOf, type Postings, rowsOf, type Wanted } from "./search-postings.ts";
import { fitOfRouteCode } from "./search-vocabulary.ts";
import type { Term } from "./search-words.ts";

/** How well records match a term, by their indexes. */
export type TermFits = {
  ports: Uint16Array;
  /** The best match of each kind's carrier, group and cargo. */
  kinds: Uint16Array;
  /** Null: none matches. */
  labels: Uint16Array | null;
  /** The route that has the term as its code, or -1. */
  row: number;
  /** The least that counts. */
  least: number;
};

/** Rows in their order, and the points of each. */
export type Matches = { rows: Uint32Array; points: Uint16Array };

/**
 * Room for all rows, which every search writes anew. Half a megabyte for each search would keep the garbage collector busy,
 * which stops all requests.
 */
export const roomFor = (rows: number): Matches => ({ rows: new Uint32Array(rows), points: new Uint16Array(rows) });

type Indexed = { columns: Columns; label: Column; allRows: Uint32Array; postings: Postings; room: Matches };

export const matcherOf = ({ columns, label, allRows, postings, room }: Indexed, fitsOf: (term: Term) => TermFits) => {
  /** A term, where it can be found, and the most rows it can match. */
  const partOf = (term: Term, forEnds: [origin: number, destination: number]) => {
    const fits = fitsOf(term);
    const wanted: Wanted[] = [
      { postings: postings.origin, points: fits.ports },
      { postings: postings.destination, points: fits.ports },
      { postings: postings.kind, points: fits.kinds },
      { postings: postings.label, points: fits.labels },
    ];
    return { fits, forEnds, wanted, most: mostRowsOf(wanted, fits.least) + 1 };
  };
  type Part = ReturnType<typeof partOf>;

  /** The rows that may match. Gathering more than a quarter of all rows takes longer than looking at each. */
  const rowsOfPart = ({ fits, wanted, most }: Part): Uint32Array =>
    most > allRows.length / 4 ? allRows : rowsOf(wanted, fits.least, fits.row, room.rows);

  /** Those of the rows that match a term, with their points for it and the terms before. */
  const matching = ({ fits, forEnds }: Part, rows: Uint32Array): Uint32Array => {
    const { origin, destination, kind } = columns;
    const { ports: ofPorts, kinds: ofKinds, labels: ofLabels, row: namedRow, least } = fits;
    const [forOrigin, forDestination] = forEnds;
    const { rows: fitting, points } = room;
    let found = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      const atOrigin = ofPorts[origin[row] as number] as number;
      const atDestination = ofPorts[destination[row] as number] as number;
      let best = Math.max(atOrigin, atDestination, ofKinds[kind[row] as number] as number);
      if (ofLabels !== null) best = Math.max(best, ofLabels[label[row] as number] as number);
      if (row === namedRow) best = fitOfRouteCode;
      if (best < least) continue;
      const ofEnds = (atOrigin === best ? forOrigin : 0) + (atDestination === best ? forDestination : 0);
      points[found] = (points[at] as number) + best + ofEnds;
      fitting[found++] = row;
    }
    return fitting.subarray(0, found);
  };

  /** The rows that match all terms. They are valid until the next search. */
  return (terms: readonly Term[]): Matches => {
    const parts = terms.map((term, index) => partOf(term, pointsForEnds(term, index, terms.length)));
    // The rarest first: the others are only compared with what it leaves.
    parts.sort((a, b) => a.most - b.most);
    let rows = parts[0] ? rowsOfPart(parts[0]) : allRows;
    room.points.fill(0, 0, rows.length);
    for (const part of parts) rows = matching(part, rows);
    return { rows, points: room.points.subarray(0, rows.length) };
  };
};

/** Earlier words rather mean the origin and later ones the destination, unless "from" or "to" says which. */
const pointsForEnds = ({ end }: Term, index: number, terms: number): [origin: number, destination: number] => [
  2 * (terms - index) + 1 + (end === "origin" ? pointsForDirection : 0),
  2 * (index + 1) + (end === "destination" ? pointsForDirection : 0),
];
const pointsForDirection = 20;
