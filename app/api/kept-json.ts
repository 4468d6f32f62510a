/**
 * JSON text that is put together from parts. The text of an object is kept for as long as the object is: lists whose rows
 * stay the same objects from request to request are written only once.
 */
import type { z } from "zod";
import { rememberFor } from "../platform/remember.ts";

/** @returns writes the document of an object as the schema defines it, in UTF-8 */
export const keptJson = <Part extends object, Document>(
  schema: z.ZodType<unknown, Document>,
  documentOf: (part: Part) => Document,
): ((part: Part) => Buffer) => rememberFor((part: Part) => Buffer.from(JSON.stringify(schema.parse(documentOf(part)))));

/** A JSON object of members that are JSON text already. Undefined ones are left out. */
export const jsonObject = (members: Record<string, Uint8Array | undefined>): Buffer<ArrayBuffer> => {
  const present = Object.entries(members).flatMap(([name, text]) => (text ? [[name, text] as const] : []));
  const parts = present.flatMap(([name, text], index) => [
    Buffer.from(`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`),
    text,
  ]);
  return Buffer.concat([...parts, Buffer.from(present.length === 0 ? "{}" : "}")]);
};

/** A JSON array of such items. */
export const jsonArray = (items: readonly Uint8Array[]): Buffer<ArrayBuffer> =>
  Buffer.concat([opening, ...items.flatMap((item, index) => (index === 0 ? [item] : [comma, item])), closing]);

export const jsonText = (value: unknown): Buffer<ArrayBuffer> => Buffer.from(JSON.stringify(value));

const [opening, comma, closing] = ["[", ",", "]"].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
