/** Lists by the address: filters and a cursor as they stand in the query. */
import type { z } from "zod";
import { type FieldError, Refusal } from "../domain/errors.ts";
import { validate } from "../domain/input.ts";
import type { Page } from "../domain/page.ts";

type Asked<Schema extends z.ZodType> = { filter: z.output<Schema>; cursor: string | undefined };
export type SearchProblem = { message: string; fields: FieldError[] };
export type SearchResult<Row> = Page<Row> & { problem: SearchProblem | null };

/** A filter that cannot be right finds nothing, and says so; what is not filled in filters nothing. */
export const searchByParams = async <Schema extends z.ZodType, Row>(
  request: Request,
  schema: Schema,
  find: (asked: Asked<Schema>) => Promise<Page<Row>>,
): Promise<SearchResult<Row>> => {
  const { cursor, ...filter } = nonEmptyParams(new URL(request.url).searchParams);
  return orSearchProblem(async () => find({ filter: validate(schema, filter), cursor }));
};

/** A page of rows; what cannot be asked for is none, and says so. */
export const orSearchProblem = async <Row>(find: () => Promise<Page<Row>>): Promise<SearchResult<Row>> => {
  try {
    return { ...(await find()), problem: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { rows: [], nextCursor: null, problem: problemOf(error) };
  }
};

/** What was filled in. */
export const nonEmptyParams = (search: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...search].filter(([, value]) => value.trim() !== "").map(([name, value]) => [name, value.trim()]),
  );

/** A cursor is no field of the form, so it is spoken of as what it is for people: a page. */
const problemOf = ({ fields }: Refusal): SearchProblem =>
  fields.some(({ path }) => path === "cursor")
    ? { message: "There is no such page; begin with the first one", fields: [] }
    : { message: "Please check the filters", fields };
