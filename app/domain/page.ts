/**
 * Keyset pagination with `limit` and an opaque `cursor`. A cursor holds the sort key of the last row returned, so that
 * rows inserted between two pages cause neither duplicates nor gaps.
 */
import { z } from "zod";
import { invalid } from "./errors.ts";
import { largestId } from "./input.ts";

export type Page<Row> = { rows: Row[]; nextCursor: string | null };
export type PageRequest = { limit: number; cursor?: string | undefined };

/** A codec for the cursors of one list. `shape` is the tuple of its sort key, `parameter` the one that takes them. */
export const cursorOf = <Key>(shape: z.ZodType<Key>, parameter = "cursor") => ({
  write: (key: Key): string => Buffer.from(JSON.stringify(key)).toString("base64url"),
  /** @throws invalid when the text is not a cursor of this list */
  read: (cursor: string | undefined): Key | null => {
    if (cursor === undefined) return null;
    try {
      return shape.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    } catch {
      throw invalid(parameter, "Not a cursor of this list. Pass next_cursor of the previous page unchanged");
    }
  },
});

/** An id in a cursor. */
export const cursorId = z.int().min(0).max(largestId);

/** Drops the extra row that shows whether there is a next page, and makes the cursor that continues after the last row. */
export const pageOf = <Row>(rowsAndOneMore: Row[], limit: number, cursorAfter: (last: Row) => string): Page<Row> => {
  const rows = rowsAndOneMore.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: rowsAndOneMore.length > limit && last ? cursorAfter(last) : null };
};
