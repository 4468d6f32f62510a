/** Lists filtered and paged by the query string. */
import type { z } from "zod";
import { type FieldError, Refusal } from "../domain/errors.ts";
import { validate } from "../domain/input.ts";
import type { Page } from "../domain/page.ts";

type Asked<Schema extends z.ZodType> = { filter: z.output<Schema>; cursor: string | undefined };
export type SearchProblem = { message: string; fields: FieldError[] };
export type SearchResult<Row> = Page<Row> & { problem: SearchProblem | null };

/** An invalid filter finds nothing and reports why. Empty parameters are ignored. */
export const searchByParams = async <Schema extends z.ZodType, Row>(
  request: Request,
  schema: Schema,
  find: (asked: Asked<Schema>) => Promise<Page<Row>>,
): Promise<SearchResult<Row>> => {
  const { cursor, ...filter } = nonEmptyParams(new URL(request.url).searchParams);
  return orSearchProblem(async () => find({ filter: validate(schema, filter), cursor }));
};

/** A page of rows; no rows and a message if the search is refused. */
export const orSearchProblem = async <Row>(find: () => Promise<Page<Row>>): Promise<SearchResult<Row>> => {
  try {
    return { ...(await find()), problem: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { rows: [], nextCursor: null, problem: problemOf(error) };
  }
};

/** The parameters that have a value, trimmed. */
export const nonEmptyParams = (search: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...search].filter(([, value]) => value.trim() !== "").map(([name, value]) => [name, value.trim()]),
  );

/** Says "page" because "cursor" means nothing to visitors. */
const problemOf = ({ fields }: Refusal): SearchProblem =>
  fields.some(({ path }) => path === "cursor")
    ? { message: "There is no such page; begin with the first one", fields: [] }
    : { message: "Please check the filters", fields };
