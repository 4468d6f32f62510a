/** A form of our own staff with one file. Who asks is known before the file is read. */
import type { ActionFunctionArgs } from "@remix-run/node";
import type { z } from "zod";
import { invalid, type Refusal } from "../domain/errors.ts";
import { validate } from "../domain/input.ts";
import { formDataOf, refuseCrossSite, refusedForm, textFields } from "./form-action.server.ts";
import { type Operator, visitOfOperator } from "./session.server.ts";

export type UploadedFile = { name: string; bytes: Uint8Array };

type Upload<Schema extends z.ZodType, Result> = {
  /** The file's field. */
  field: string;
  largestBytes: number;
  /** How a larger one is refused. */
  tooLarge: () => Refusal;
  schema: Schema;
  work: (visit: Operator, file: UploadedFile, input: z.output<Schema>) => Promise<Result>;
};

/** Room for the other fields, which are short texts, and for what separates them. */
const besideFileBytes = 16 * 1024;

export const operatorUpload =
  <Schema extends z.ZodType, Result>({ field, largestBytes, tooLarge, schema, work }: Upload<Schema, Result>) =>
  async (args: ActionFunctionArgs) => {
    await refuseCrossSite(args.request);
    const visit = await visitOfOperator(args);
    const form = await formDataOf(args.request, largestBytes + besideFileBytes);
    try {
      if (!form) throw tooLarge();
      const file = await fileIn(form, field);
      if (file.bytes.length > largestBytes) throw tooLarge();
      return { result: await work(visit, file, validate(schema, textFields(form))), problem: null };
    } catch (error) {
      return refusedForm(error, form ? textFields(form) : {}, "upload");
    }
  };

/** A form without a chosen file has an empty one without a name. @throws invalid */
const fileIn = async (form: FormData, field: string): Promise<UploadedFile> => {
  const file = form.get(field);
  if (!(file instanceof File) || (file.name === "" && file.size === 0)) throw invalid(field, "Choose a file");
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
};
