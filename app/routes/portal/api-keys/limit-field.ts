/** Beside key-view.ts, so that the pages do not carry Zod to the browser. */
import { z } from "zod";
import { keyHourlyLimit } from "#app/domain/api-keys/api-key.ts";

/** The requests per hour of a key, from a form. Empty: no limit of its own. */
export const limitField = z
  .string()
  .trim()
  .default("")
  .transform((text) => (text === "" ? null : Number(text)))
  .pipe(keyHourlyLimit);
