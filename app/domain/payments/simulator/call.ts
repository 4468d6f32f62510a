import type { Tx } from "#app/platform/db.server.ts";
import type { News } from "./objects.ts";
import type { Params } from "./params.ts";

/** One request to the simulator: its transaction, its moment, its parameters. */
export type Call = {
  tx: Tx;
  now: Date;
  params: Params;
  /** The id in the URL, or an empty text. */
  id: string;
  /** Authorized by an intent's client secret only, as browsers are. */
  fromBrowser: boolean;
  /** Where the page is that asks a card's holder to approve a payment; without a trailing slash. */
  baseUrl: string;
  /** `prefix` and 24 random letters and digits. */
  newId(prefix: string): string;
  /** Writes an event; it is delivered once the transaction has ended well. */
  announce(news: News): Promise<void>;
};

export type Answer = { status: number; body: Record<string, unknown> };

export const ok = (body: object): Answer => ({ status: 200, body: { ...body } });
