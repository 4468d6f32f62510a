import { Refusal } from "../domain/errors.ts";

/** What a verb does not find, or not for this account, is no page; what cannot be asked for now may be later. */
export const orErrorResponse = async <T>(asked: Promise<T>): Promise<T> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refusal && error.code === "not_found") throw new Response(error.message, { status: 404 });
    if (error instanceof Refusal && error.code === "unavailable") throw new Response(error.message, { status: 503 });
    throw error;
  }
};
