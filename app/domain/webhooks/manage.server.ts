/** Registering and changing webhook endpoints. Endpoints of other accounts are not found. */
import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Account, Caller } from "../accounts/caller.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { conflict, invalid, notFound, Refusal } from "../errors.ts";
import * as deliveryQueries from "./delivery-queries.server.ts";
import { type EndpointInput, type EndpointStatus, tooManyEndpoints, type WebhookEndpoint } from "./endpoint.ts";
import * as queries from "./endpoint-queries.server.ts";
import type { WebhookEventType } from "./events.ts";
import { maxEndpoints, rotationHours } from "./policy.ts";
import { newSigningSecret } from "./secret.server.ts";
import { readTarget } from "./target.ts";
import { Unreachable } from "./transport.server.ts";

type World = Pick<Context, "db" | "clock">;

/** Oldest first. */
export const listEndpoints = (ctx: Pick<Context, "db">, { account }: Caller): Promise<WebhookEndpoint[]> =>
  queries.listEndpoints(ctx.db, account.id);

/** @throws not_found */
export const getEndpoint = async (
  ctx: Pick<Context, "db">,
  { account }: Caller,
  input: { id: number },
): Promise<WebhookEndpoint> => orNotFound(await queries.findEndpoint(ctx.db, account.id, input.id));

/**
 * Registers an endpoint. The secret is returned only here.
 *
 * @throws invalid if the URL breaks a rule, or its host has a private or reserved address
 * @throws conflict when the account has `maxEndpoints`
 */
export const createEndpoint = async (
  ctx: World & Pick<Context, "random" | "sealer" | "settings" | "webhooks">,
  caller: Caller,
  input: EndpointInput,
): Promise<WebhookEndpoint & { secret: string }> => {
  const { id: accountId } = caller.account;
  const url = await checkedUrl(ctx, input.url);
  const { secret, sealed } = newSigningSecret(ctx, accountId);
  return ctx.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    if ((await queries.countEndpoints(tx, accountId)) >= maxEndpoints) throw conflict(tooManyEndpoints);
    const createdAt = ctx.clock.now();
    const { description, event_types: eventTypes } = input;
    const row = { accountId, url: url.href, description, eventTypes, sealedSecret: sealed, createdAt };
    const created = await queries.insertEndpoint(tx, row);
    await audit(tx, caller, "webhook_endpoint.created", created, createdAt);
    return { ...created, secret };
  });
};

/**
 * Changes URL, description and event types. Deliveries that wait go to the new URL.
 *
 * @throws not_found
 * @throws invalid if the URL breaks a rule, or its host has a private or reserved address
 */
export const changeEndpoint = async (
  ctx: World & Pick<Context, "settings" | "webhooks">,
  caller: Caller,
  { id, ...input }: EndpointInput & { id: number },
): Promise<WebhookEndpoint> => {
  await getEndpoint(ctx, caller, { id });
  const url = await checkedUrl(ctx, input.url);
  return change(ctx, caller, id, "webhook_endpoint.changed", (tx) => {
    const { description, event_types: eventTypes } = input;
    return queries.updateEndpoint(tx, caller.account.id, id, { url: url.href, description, eventTypes });
  });
};

/**
 * Enables or disables an endpoint. Disabling gives up what is pending; it can be replayed later. Events that happen while
 * an endpoint is disabled are not stored for it.
 *
 * @throws not_found
 */
export const setEndpointStatus = async (
  ctx: World,
  caller: Caller,
  { id, status }: { id: number; status: EndpointStatus },
): Promise<WebhookEndpoint> => {
  const { disabledAt } = await getEndpoint(ctx, caller, { id });
  if ((status === "disabled") === (disabledAt !== null)) return getEndpoint(ctx, caller, { id });
  const enabled = { disabledAt: null, disabledBecause: null, failingSince: null };
  return change(ctx, caller, id, `webhook_endpoint.${status}`, async (tx) => {
    if (status === "enabled") return queries.updateEndpoint(tx, caller.account.id, id, enabled);
    await deliveryQueries.disableEndpoint(tx, id, "holder", ctx.clock.now());
    return queries.findEndpoint(tx, caller.account.id, id);
  });
};

/**
 * Replaces the secret. Both sign for `rotationHours`, so that receivers can change over without losing a message.
 *
 * @returns the new secret, only here
 * @throws not_found
 */
export const rotateSecret = async (
  ctx: World & Pick<Context, "random" | "sealer">,
  caller: Caller,
  { id }: { id: number },
): Promise<WebhookEndpoint & { secret: string }> => {
  const { secret, sealed } = newSigningSecret(ctx, caller.account.id);
  const previousUntil = new Date(ctx.clock.now().getTime() + rotationHours * 3_600_000);
  const rotated = await change(ctx, caller, id, "webhook_endpoint.secret_rotated", (tx) =>
    queries.rotateSecret(tx, caller.account.id, id, { sealedSecret: sealed, previousUntil }),
  );
  return { ...rotated, secret };
};

/** Deletes an endpoint with its delivery log. @throws not_found */
export const deleteEndpoint = (ctx: World, caller: Caller, { id }: { id: number }): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    await lockAccount(tx, caller.account.id);
    const { url } = orNotFound(await queries.deleteEndpoint(tx, caller.account.id, id));
    await audit(tx, caller, "webhook_endpoint.deleted", { id, url }, ctx.clock.now());
  });

/** Accounts in good standing with an enabled endpoint for one of the types. */
export const accountsSubscribedTo = (
  ctx: Pick<Context, "db">,
  types: readonly WebhookEventType[],
): Promise<Pick<Account, "id" | "standing">[]> => queries.accountsSubscribedTo(ctx.db, types);

/** For an account that is being closed. */
export const deleteWebhooks = (tx: Tx, accountId: number): Promise<void> => queries.deleteAll(tx, accountId);

type EndpointAction = Extract<Parameters<typeof recordAudit>[2], `webhook_endpoint.${string}`>;

const change = (
  ctx: World,
  caller: Caller,
  id: number,
  action: EndpointAction,
  act: (tx: Tx) => Promise<WebhookEndpoint | null>,
): Promise<WebhookEndpoint> =>
  ctx.db.transaction(async (tx) => {
    await lockAccount(tx, caller.account.id);
    const changed = orNotFound(await act(tx));
    await audit(tx, caller, action, { id, url: changed.url }, ctx.clock.now());
    return changed;
  });

const audit = (
  tx: Tx,
  caller: Caller,
  action: EndpointAction,
  { id, url }: Pick<WebhookEndpoint, "id" | "url">,
  now: Date,
) => recordAudit(tx, caller, action, now, { endpoint_id: id, host: new URL(url).host });

const orNotFound = <Found>(found: Found | null): Found => {
  if (found === null) throw notFound("Webhook endpoint");
  return found;
};

const checkedUrl = async (ctx: Pick<Context, "settings" | "webhooks">, text: string): Promise<URL> => {
  const { allowPrivate } = ctx.webhooks;
  const check = async (setting: { allowPrivate: boolean }) => {
    const url = readTarget(text, setting);
    await ctx.webhooks.check(url, setting);
    return url;
  };
  try {
    return await check({ allowPrivate });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // In test mode the operator is usually the one who tries it.
    const isOnlyPrivate = ctx.settings.testMode && !allowPrivate && (await isAccepted(check({ allowPrivate: true })));
    throw invalid("url", isOnlyPrivate ? `${error.message}. ${howToAllow}` : error.message);
  }
};

const isRefusal = (error: unknown): error is Error => error instanceof Unreachable || error instanceof Refusal;

const isAccepted = (checked: Promise<URL>): Promise<boolean> =>
  checked.then(
    () => true,
    (error: unknown) => {
      if (isRefusal(error)) return false;
      throw error;
    },
  );

const howToAllow = "For a receiver on this machine, start the service with WEBHOOK_ALLOW_PRIVATE=on";
