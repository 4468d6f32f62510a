/** What names a thing in a page's address, or in a form of it. */
import { z } from "zod";

/** A number in a page's address. Anything else is no page of ours. */
export const idOf = (param: string | undefined): number => Number(matching(/^[1-9]\d{0,8}$/, param));

/** The catalogue's code of something, or a payment's. Anything else is no page of ours. */
export const codeOf = (param: string | undefined): string => matching(/^[\w./-]{1,80}$/, param);

const matching = (form: RegExp, param = ""): string => {
  if (!form.test(param)) throw new Response("Not found", { status: 404 });
  return param;
};

const noChoice = "Choose one of those that there are";

/** A number in a form: what a column of ids can hold. */
export const idField = z.coerce.number(noChoice).int(noChoice).positive(noChoice).max(2_147_483_647, noChoice);
