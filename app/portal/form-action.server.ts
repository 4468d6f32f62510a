/**
 * Form schema + verb → Remix action. A refusal shows the form again with the values entered. Forms from other sites are
 * refused.
 */
import { type ActionFunctionArgs, data, redirect } from "@remix-run/node";
import type { z } from "zod";
import { getContext } from "../context.server.ts";
import { type FieldError, ProofRequired, type Refusal } from "../domain/errors.ts";
import { failureOf } from "../domain/failure.ts";
import { validate } from "../domain/input.ts";
import { crossSiteMessage, isCrossSiteWrite } from "../platform/cross-site.ts";
import { formStatusOf, statusOf } from "../platform/refusal-status.ts";
import { bodyUpTo } from "../platform/request-body.server.ts";
import { logSecurityEvent } from "../platform/security-events.ts";
import { type Member, type Operator, type Visit, visit, visitOfMember, visitOfOperator } from "./session.server.ts";

/** What a refused form shows. */
export type FormProblem = {
  message: string;
  fields: FieldError[];
  /** As entered, without secrets. */
  values: Record<string, string>;
  /** Which of the page's forms. */
  intent: string;
};

type Work<World, Schema extends z.ZodType, Result> = (
  visit: World & { params: Record<string, string | undefined> },
  input: z.output<Schema>,
) => Promise<Result>;

type Form<Result> = (args: ActionFunctionArgs, fields: Record<string, string>) => Promise<Result>;

/** A form for everybody, signed in or not. */
export const openForm =
  <Schema extends z.ZodType, Result>(schema: Schema, work: Work<Visit, Schema, Result>): Form<Result> =>
  async (args, fields) =>
    work({ ...(await visit(args)), params: args.params }, validate(schema, fields));

/** A form that needs a signed-in account. */
export const memberForm =
  <Schema extends z.ZodType, Result>(schema: Schema, work: Work<Member, Schema, Result>): Form<Result> =>
  async (args, fields) =>
    work({ ...(await visitOfMember(args)), params: args.params }, validate(schema, fields));

/** A form for operators. */
export const operatorForm =
  <Schema extends z.ZodType, Result>(schema: Schema, work: Work<Operator, Schema, Result>): Form<Result> =>
  async (args, fields) =>
    work({ ...(await visitOfOperator(args)), params: args.params }, validate(schema, fields));

/**
 * The action of a page with one form, or with several that differ in the submit button's `intent`.
 *
 * @param headers of the response to a form that succeeds and stays on the page; the form adds to them
 */
export const formAction =
  <Result>(forms: Record<string, Form<Result>>, headers = new Headers()) =>
  async (args: ActionFunctionArgs) => {
    await refuseCrossSite(args.request);
    const sent = await formDataOf(args.request, longestFormBytes);
    if (!sent) throw new Response("The form is too long", { status: statusOf.too_large });
    const { intent, ...fields } = textFields(sent);
    const name = intent ?? Object.keys(forms)[0] ?? "";
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (!form) throw new Response("No such form", { status: statusOf.malformed });
    try {
      const outcome = { result: await form(args, fields), problem: null };
      return headers.keys().next().done ? outcome : data(outcome, { headers });
    } catch (error) {
      if (error instanceof ProofRequired) throw toConfirmation(args.request, fields);
      return refusedForm(error, fields, name);
    }
  };

/** The response that shows the form again. @throws the error if it is not a refusal */
export const refusedForm = (error: unknown, fields: Record<string, string>, intent: string) => {
  const { kind, refusal } = failureOf(error);
  if (!refusal) throw error;
  const problem = problemOf(refusal, fields, intent);
  const { retryAfterSeconds } = refusal;
  const headers: Record<string, string> =
    retryAfterSeconds === null ? {} : { "Retry-After": String(retryAfterSeconds) };
  if (kind === "database_away") problem.message = outcomeUnknown;
  return data({ result: null, problem }, { status: formStatusOf[refusal.code], headers });
};

const outcomeUnknown = "The service is temporarily unavailable. In a minute, check whether it was done, or try again";

const problemOf = (refusal: Refusal, fields: Record<string, string>, intent: string): FormProblem => ({
  message: headline(refusal),
  fields: refusal.fields,
  values: withoutSecrets(fields),
  intent,
});

const withoutSecrets = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) => !/password|^(number|cvc|code|token|passkey)$/.test(name)),
  );

/** Longer addresses lose what was entered. */
const longestAddress = 1_500;

/** Asks who is there, then leads back to the form. Its page may fill it in again from the address. */
const toConfirmation = ({ url }: Request, fields: Record<string, string>): Response => {
  const { pathname, search } = new URL(url);
  const entered = new URLSearchParams([...new URLSearchParams(search), ...Object.entries(withoutSecrets(fields))]);
  const full = `${pathname}?${entered}`;
  return redirect(`/confirm-identity?${new URLSearchParams({ next: full.length > longestAddress ? pathname : full })}`);
};

/** A single field error is its own headline; several are listed under a common one. */
const headline = ({ fields, message }: Refusal): string =>
  fields.length === 0 ? message : fields.length === 1 ? (fields[0]?.message ?? message) : "Check the form";

/** Defence in depth: the cookie is SameSite=Lax as well. @throws 403 if another site sent the form */
export const refuseCrossSite = async ({ method, headers }: Request): Promise<void> => {
  const { settings } = await getContext();
  if (!isCrossSiteWrite(method, (name) => headers.get(name), settings)) return;
  logSecurityEvent("cross_site.refused", null);
  throw new Response(crossSiteMessage, { status: statusOf.forbidden });
};

/** Several times the longest text that any form accepts, in any encoding. */
export const longestFormBytes = 256 * 1024;

/** @returns null if the form is longer than the limit @throws 400 if the body is not a form */
export const formDataOf = async (request: Request, limitBytes: number): Promise<FormData | null> => {
  const body = await bodyUpTo(limitBytes, request).catch(unlessGone);
  if (!body) return null;
  const headers = { "Content-Type": request.headers.get("Content-Type") ?? "" };
  try {
    return await new Response(body, { headers }).formData();
  } catch {
    throw new Response("This is not a form", { status: statusOf.malformed });
  }
};

/** Remix would log a closed connection as an error. */
const unlessGone = (error: unknown): never => {
  if (failureOf(error).kind === "client_gone") throw new Response(null, { status: statusOf.malformed });
  throw error;
};

export const textFields = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form.entries()].filter((entry): entry is [string, string] => typeof entry[1] === "string"));
