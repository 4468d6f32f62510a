/** The client: typed requests with credentials, time-outs, retries and pagination. */
import createClient, { type FetchResponse, type MaybeOptionalInit } from "openapi-fetch";
import { authenticator, type Credentials } from "./credentials.ts";
import { ApiError, ConnectionError } from "./errors.ts";
import { idempotentPosts } from "./operations.ts";
import { isRepeatable, pauseBefore, type RetryOptions } from "./retry.ts";
import type { components, paths } from "./schema.ts";

export type ClientOptions = Credentials &
  RetryOptions & {
    /** With `/api`: `https://data.example.com/api`. */
    baseUrl: string;
    /** How long an attempt may take, in milliseconds. Default: 30,000. */
    timeoutMs?: number;
    /** For tests. */
    environment?: Partial<Environment>;
  };

export type Environment = {
  fetch: (request: Request) => Promise<Response>;
  sleep: (milliseconds: number) => Promise<void>;
  /** 0 to 1. */
  random: () => number;
  now: () => Date;
  newIdempotencyKey: () => string;
};

type Method = "get" | "post" | "put" | "delete";
type MediaType = `${string}/${string}`;
type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, infer Operation>
    ? Operation extends undefined
      ? never
      : Path
    : never;
}[keyof paths];
type Success<Path extends keyof paths, M extends Method, Init> = NonNullable<
  // biome-ignore lint/suspicious/noExplicitAny: as openapi-fetch declares it
  FetchResponse<paths[Path][M] extends Record<string | number, any> ? paths[Path][M] : never, Init, MediaType>["data"]
>;

/** Sends a request. @returns the answer @throws ApiError, ConnectionError */
type Send<M extends Method> = <Path extends PathsWith<M>, Init extends MaybeOptionalInit<paths[Path], M>>(
  path: Path,
  ...init: InitOf<Init>
) => Promise<Success<Path, M, Init>>;

/** Optional if nothing in it is required. */
type InitOf<Init> = undefined extends Init ? [init?: Init] : [init: Init];

/** Paths whose answers are pages. */
export type PagedPath = {
  [Path in PathsWith<"get">]: Success<Path, "get", unknown> extends { next_cursor: string | null } ? Path : never;
}[PathsWith<"get">];
type Page<Path extends PagedPath> = Success<Path, "get", unknown>;
/** The names of a page's lists. */
type ListName<Path extends PagedPath> = {
  [Name in keyof Page<Path>]: Page<Path>[Name] extends readonly unknown[] ? Name : never;
}[keyof Page<Path>];
type Item<Path extends PagedPath, Name extends keyof Page<Path>> = Page<Path>[Name] extends readonly (infer One)[]
  ? One
  : never;
type Cursor = { next_cursor: string | null; has_more?: boolean };
type Query<Path extends PagedPath> = paths[Path]["get"] extends { parameters: { query?: infer Q } } ? Q : never;

export type ShippingRouteClient = {
  get: Send<"get">;
  post: Send<"post">;
  put: Send<"put">;
  delete: Send<"delete">;
  /** All pages, from the first or from `query.cursor`; of changes from `query.since`, until there are no more. */
  pages<Path extends PagedPath>(path: Path, query?: Query<Path>): AsyncGenerator<Page<Path>, void>;
  /** The records of all pages. @param list the field of the answer that holds them */
  items<Path extends PagedPath, Name extends ListName<Path>>(
    path: Path,
    list: Name,
    query?: Query<Path>,
  ): AsyncGenerator<Item<Path, Name>, void>;
};

export const createShippingRouteClient = (options: ClientOptions): ShippingRouteClient => {
  const environment = { ...realEnvironment, ...options.environment };
  const send = sender(options, environment);
  const credentials = authenticator(
    options,
    async (path, body, token) => {
      const request = new Request(`${options.baseUrl}${path}`, {
        method: "POST",
        headers: {
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const response = await send(request, path);
      if (!response.ok) throw await apiErrorOf(response);
      return (await response.json()) as components["schemas"]["AccessToken"];
    },
    environment.now,
  );
  const authorized = async (request: Request): Promise<Request> => {
    const copy = new Request(request);
    for (const [name, value] of Object.entries(await credentials.headers())) copy.headers.set(name, value);
    return copy;
  };
  const client = createClient<paths>({ baseUrl: options.baseUrl });
  client.use({
    onRequest: ({ request, schemaPath }) => {
      if (request.method === "POST" && idempotentPosts.has(schemaPath) && !request.headers.has("idempotency-key")) {
        request.headers.set("Idempotency-Key", environment.newIdempotencyKey());
      }
      return request;
    },
  });
  const call = async (method: Uppercase<Method>, path: string, init: Record<string, unknown> = {}) => {
    const fetch = async (request: Request) => {
      const response = await send(await authorized(request.clone()), path);
      // The token may have been revoked or have expired on the way.
      if (response.status !== 401 || !(await credentials.renew())) return response;
      return send(await authorized(request), path);
    };
    const { data, error, response } = await client.request(
      method.toLowerCase() as "get",
      path as "/openapi.json",
      { parseAs: "stream", ...init, fetch } as unknown as { parseAs: "stream" },
    );
    if (!response.ok) throw new ApiError(response, problemIn(error));
    return init.parseAs === undefined ? decoded(response) : data;
  };
  // The types of the paths end here: `call` knows only text.
  const method = (name: Uppercase<Method>) => (path: string, init?: Record<string, unknown>) => call(name, path, init);
  async function* pages(path: string, query: Record<string, unknown> = {}) {
    let next = query;
    for (;;) {
      const page = (await call("GET", path, { params: { query: next } })) as Cursor;
      yield page;
      // A list that grows, such as changes, says whether to ask again at once, and goes on with `since`.
      const { next_cursor: cursor, has_more: hasMore } = page;
      if (cursor === null || hasMore === false) return;
      next = { ...query, [hasMore === undefined ? "cursor" : "since"]: cursor };
    }
  }
  async function* items(path: string, list: string, query?: Record<string, unknown>) {
    for await (const page of pages(path, query)) yield* (page as unknown as Record<string, unknown[]>)[list] ?? [];
  }
  return {
    get: method("GET"),
    post: method("POST"),
    put: method("PUT"),
    delete: method("DELETE"),
    pages,
    items,
  } as unknown as ShippingRouteClient;
};

const realEnvironment: Environment = {
  fetch: (request) => fetch(request),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: Math.random,
  // biome-ignore lint/plugin: the client does not run in the service
  now: () => new Date(),
  newIdempotencyKey: () => crypto.randomUUID(),
};

/** Sends a request with its time-out, and again as the retry policy says. @throws ConnectionError */
const sender = (
  { timeoutMs = 30_000, retries = 4, longestPauseMs = 60_000 }: ClientOptions,
  { fetch, sleep, random }: Environment,
) => {
  const policy = { retries, longestPauseMs, random };
  return async (request: Request, path: string): Promise<Response> => {
    for (let attempt = 0; ; attempt++) {
      const [response, failure] = await fetch(withTimeout(request.clone(), timeoutMs)).then(
        (answer) => [answer, null] as const,
        (error: unknown) => [null, error] as const,
      );
      // The caller's own abort is not a failure of the connection.
      if (failure !== null && request.signal.aborted) throw failure;
      const pause = pauseBefore(policy, response, attempt, isRepeatable(request.method, path, request.headers));
      if (pause === null) {
        if (response) return response;
        throw new ConnectionError("The API could not be reached", { cause: failure });
      }
      await response?.body?.cancel();
      await sleep(pause);
    }
  };
};

const withTimeout = (request: Request, timeoutMs: number): Request =>
  new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) });

const apiErrorOf = async (response: Response): Promise<ApiError> =>
  new ApiError(response, problemIn(await response.json().catch(() => null)));

/** A proxy on the way may answer with something else. */
const problemIn = (body: unknown): Partial<components["schemas"]["Problem"]> =>
  typeof body === "object" && body !== null ? body : {};

/** JSON as its value, text (CSV) as a string, everything else as bytes. */
const decoded = async (response: Response): Promise<unknown> => {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return response.json();
  return type.startsWith("text/") ? response.text() : new Uint8Array(await response.arrayBuffer());
};
