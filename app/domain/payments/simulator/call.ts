import type { Tx } from "#app/platform/db.server.ts";
import type { EventPayload } from "./objects.ts";
import type { Params } from "./params.ts";

/** One request to the simulator, with its transaction, time and parameters. */
export type Call = {
  tx: Tx;
  now: Date;
  params: Params;
  /** The id in the URL, or an empty string. */
  id: string;
  /** Sent by a browser, and so authorized only by the intent's client secret. */
  fromBrowser: boolean;
  /** The site that serves the authentication page, without a trailing slash. */
  baseUrl: string;
  /** `prefix` plus 24 random letters and digits. */
  newId(prefix: string): string;
  /** Stores an event, which is delivered after the transaction commits. */
  emit(payload: EventPayload): Promise<void>;
};

export type Answer = { status: number; body: Record<string, unknown> };

export const ok = (body: object): Answer => ({ status: 200, body: { ...body } });
