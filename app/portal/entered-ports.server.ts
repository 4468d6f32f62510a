/** Ports that people enter by name or code. */
import { findPort } from "../domain/catalogue/find-port.server.ts";
import type { PortEntry } from "../domain/catalogue/search-vocabulary.ts";
import type { Context } from "../domain/context.ts";
import { type FieldError, Refusal } from "../domain/errors.ts";

export type EnteredPort = { port: PortEntry | null; fields: FieldError[] };

/** The port that was entered in a field, or what is wrong with it. */
export const enteredPort = async (
  ctx: Pick<Context, "db" | "clock">,
  field: string,
  text: string,
): Promise<EnteredPort> => {
  try {
    return { port: await findPort(ctx, field, text), fields: [] };
  } catch (error) {
    if (error instanceof Refusal) return { port: null, fields: error.fields };
    throw error;
  }
};
