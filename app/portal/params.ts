/** Ids and codes in page URLs and forms. */
import { z } from "zod";
import { largestId } from "../domain/input.ts";

/** An id in a page's URL. @throws 404 for anything else */
export const idOf = (param: string | undefined): number => Number(matching(/^[1-9]\d{0,8}$/, param));

/** A catalogue code or a payment's id in a page's URL. @throws 404 for anything else */
export const codeOf = (param: string | undefined): string => matching(/^[\w./-]{1,80}$/, param);

const matching = (form: RegExp, param = ""): string => {
  if (!form.test(param)) throw new Response("Not found", { status: 404 });
  return param;
};

const noChoice = "Choose one of those that there are";

/** An id in a form. */
export const idField = z.coerce.number(noChoice).int(noChoice).positive(noChoice).max(largestId, noChoice);
