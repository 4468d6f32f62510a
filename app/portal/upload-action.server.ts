/**
 * A form of our own staff with one file. Who asks is known before the file is read, and what is over its limit is never
 * held in memory.
 */
import {
  type ActionFunctionArgs,
  unstable_parseMultipartFormData as parseMultipart,
  type UploadHandlerPart,
} from "@remix-run/node";
import type { z } from "zod";
import { invalid, Refusal } from "../domain/errors.ts";
import { validate } from "../domain/input.ts";
import { refusedForm, refuseForeign } from "./form-action.server.ts";
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

const largestTextBytes = 2_000;

/** The other fields are short texts. The file comes last in the form, so that they are known when it is refused. */
export const operatorUpload =
  <Schema extends z.ZodType, Result>({ field, largestBytes, tooLarge, schema, work }: Upload<Schema, Result>) =>
  async (args: ActionFunctionArgs) => {
    refuseForeign(args.request);
    const visit = await visitOfOperator(args);
    const fields: Record<string, string> = {};
    let file: UploadedFile | null = null;
    const read = async (part: UploadHandlerPart): Promise<undefined> => {
      if (part.name === field) {
        file = { name: part.filename ?? "", bytes: await bytesOf(part, largestBytes, tooLarge) };
      } else {
        const bytes = await bytesOf(part, largestTextBytes, () => invalid(part.name, "Too long"));
        fields[part.name] = new TextDecoder().decode(bytes);
      }
    };
    try {
      await parse(args.request, read);
      const chosen = chosenFile(file, field);
      return { result: await work(visit, chosen, validate(schema, fields)), problem: null };
    } catch (error) {
      return refusedForm(error, fields, "upload");
    }
  };

const parse = async (request: Request, read: (part: UploadHandlerPart) => Promise<undefined>): Promise<void> => {
  try {
    await parseMultipart(request, read);
  } catch (error) {
    if (error instanceof Refusal || error instanceof Response) throw error;
    throw new Response("This is not a form with a file", { status: 400 });
  }
};

/** A form without a file has a part without a name. */
const chosenFile = (file: UploadedFile | null, field: string): UploadedFile => {
  if (!file || (file.name === "" && file.bytes.length === 0)) throw invalid(field, "Choose a file");
  return file;
};

/**
 * What is over the limit is read on and dropped, since browsers show an answer only to what they have sent wholly; far
 * over it the connection is cut.
 */
const bytesOf = async (
  { data: chunks }: UploadHandlerPart,
  largest: number,
  refuse: () => Refusal,
): Promise<Uint8Array> => {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size <= largest) held.push(chunk);
    else held.length = 0;
    if (size > largest * patienceFactor)
      throw new Response("Too large", { status: 413, headers: { Connection: "close" } });
  }
  if (size > largest) throw refuse();
  return Buffer.concat(held);
};

const patienceFactor = 10;
