/**
 * Conditional responses, cached by version. A request with the current ETag gets 304 and no work is done; otherwise the
 * body is built once and cached. Nothing is stale, as the version is read, or checked, for every request.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Context } from "../domain/context.ts";
import { perDatabase } from "../platform/db.server.ts";
import { type MaybePromise, whenKnown } from "../platform/maybe-promise.ts";
import { recentlyUsed, remember, rememberFor } from "../platform/remember.ts";
import type { Contract } from "./endpoint.ts";
import type { ApiResponse } from "./serve.server.ts";

export type Versioned<Answer> = {
  /** Identifies everything that the answer depends on, including the time where it matters. */
  version: string;
  answer: () => Promise<Answer>;
};

/** For an answer without its own version, such as a page of a list: it is read on every request, and its content is the version. */
export const versionedByContent = <Answer>(content: Answer): Versioned<Answer> => ({
  version: JSON.stringify(content),
  answer: async () => content,
});

/** @param wanted the If-None-Match header */
export const versionedReply = (
  { db }: Pick<Context, "db">,
  contract: Contract,
  { version, answer }: Versioned<unknown>,
  wanted: string | null,
): MaybePromise<ApiResponse> => {
  const etag = etagsOf(contract)(version);
  const headers = { ETag: etag, "Cache-Control": "private, no-cache" };
  const known = wanted?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  if (known.includes(etag)) return { status: 304, headers, body: "" };
  const body = keptOf(db).find(etag, async () =>
    Buffer.from(JSON.stringify(contract.answer.schema.parse(await answer()))),
  );
  return whenKnown(body, (bytes) =>
    known.includes("*")
      ? { status: 304, headers, body: "" }
      : { status: contract.answer.status, headers, body: "", bytes },
  );
};

const etagsOf = rememberFor((contract: Contract) =>
  remember((version) => `"${sha256(`${build} ${contract.id} ${version}`).slice(0, 27)}"`),
);

/** Up to twice as many are kept, see `recentlyUsed`. */
const keptBodies = 250;

type Body = Buffer<ArrayBuffer>;

/** The bodies that were last sent, in UTF-8, by ETag. Concurrent requests for one wait for the same promise. */
const keptOf = perDatabase(() => {
  const { keep, find: known, forget } = recentlyUsed<MaybePromise<Body>>(keptBodies);
  const find = (etag: string, make: () => Promise<Body>): MaybePromise<Body> => {
    const body = known(etag);
    if (body) return body;
    const making = make();
    making.then(
      (made) => keep(etag, made),
      () => forget(etag),
    );
    return keep(etag, making);
  };
  return { find, forget };
});

/** Forgets the body of an answer whose version was outdated: what was read for it may be newer. */
export const forgetAnswer = ({ db }: Pick<Context, "db">, { headers }: Pick<ApiResponse, "headers">): void => {
  if (headers.ETag !== undefined) keptOf(db).forget(headers.ETag);
};

const sha256 = (text: string | Uint8Array): string => hash("sha256", text, "base64url");

/** Another build may format the same version differently, so the ETag includes a hash of this file, the server's build. */
const build = sha256(readFileSync(fileURLToPath(import.meta.url)));
