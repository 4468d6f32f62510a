/** A form of our own staff with one file, which is read as it arrives. Who asks is known before the file is read. */
import { type ActionFunctionArgs, unstable_parseMultipartFormData as parseMultipart } from "@remix-run/node";
import type { z } from "zod";
import { invalid } from "../domain/errors.ts";
import { failureOf } from "../domain/failure.ts";
import { validate } from "../domain/input.ts";
import { statusOf } from "../platform/refusal-status.ts";
import { refuseCrossSite, refusedForm } from "./form-action.server.ts";
import { type Operator, visitOfOperator } from "./session.server.ts";

export type UploadedFile = { name: string; content: AsyncIterable<Uint8Array> };

type Upload<Schema extends z.ZodType, Result> = {
  /** The file's field. It has to be the form's last one, as the others are read before it. */
  field: string;
  schema: Schema;
  /** Reads the file to its end, unless it throws. */
  work: (visit: Operator, file: UploadedFile, input: z.output<Schema>) => Promise<Result>;
};

/** The other fields are short texts. */
const longestFieldBytes = 16 * 1024;

/** What the work returns or throws: an uploading client needs its body read to the end in either case. */
type Outcome<Result> = { result: Result } | { error: unknown };

export const operatorUpload =
  <Schema extends z.ZodType, Result>({ field, schema, work }: Upload<Schema, Result>) =>
  async (args: ActionFunctionArgs) => {
    await refuseCrossSite(args.request);
    const visit = await visitOfOperator(args);
    const fields: Record<string, string> = {};
    let outcome: Outcome<Result> = { error: invalid(field, "Choose a file") };
    try {
      await parseMultipart(args.request, async ({ name, filename, data }) => {
        const part = unendingly(data);
        if (name !== field) fields[name] = await textUpTo(longestFieldBytes, part);
        else if (filename) outcome = await outcomeOf(work, visit, { name: filename, content: part }, schema, fields);
        // The rest of a refused file: the client reads the answer after it has sent everything.
        for await (const _ of part);
        return null;
      });
    } catch (error) {
      // The parser fails if the body is not a form, or the client is gone.
      if (failureOf(error).refusal) throw error;
      throw new Response("This is not a form", { status: statusOf.malformed });
    }
    if ("result" in outcome) return { result: (outcome as { result: Result }).result, problem: null };
    return refusedForm((outcome as { error: unknown }).error, fields, "upload");
  };

const outcomeOf = async <Schema extends z.ZodType, Result>(
  work: Upload<Schema, Result>["work"],
  visit: Operator,
  file: UploadedFile,
  schema: Schema,
  fields: Record<string, string>,
): Promise<Outcome<Result>> => {
  try {
    return { result: await work(visit, file, validate(schema, fields)) };
  } catch (error) {
    return { error };
  }
};

/** Whoever stops reading leaves the rest to the next reader. */
const unendingly = (data: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
  const iterator = data[Symbol.asyncIterator]();
  return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
};

const textUpTo = async (limitBytes: number, data: AsyncIterable<Uint8Array>): Promise<string> => {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of data) {
    length += part.length;
    if (length <= limitBytes) parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
};
