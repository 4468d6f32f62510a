import { Refusal } from "../domain/errors.ts";
import type { PageRequest } from "../domain/page.ts";

/** A page of a list; the first one if the cursor is invalid. */
export const orFirstPage = async <Page>(
  list: (request: PageRequest) => Promise<Page>,
  request: PageRequest,
): Promise<Page> => {
  try {
    return await list(request);
  } catch (error) {
    if (error instanceof Refusal && request.cursor !== undefined) return list({ limit: request.limit });
    throw error;
  }
};
