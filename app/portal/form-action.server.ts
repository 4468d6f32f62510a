/**
 * Form schema + work → Remix action. A refusal goes back into the form, with what was typed. Forms from other sites
 * are turned away.
 */
import { type ActionFunctionArgs, data } from "@remix-run/node";
import type { z } from "zod";
import type { FieldError, Refusal } from "../domain/errors.ts";
import { failureOf } from "../domain/failure.ts";
import { validate } from "../domain/input.ts";
import { bodyUpTo } from "../platform/request-body.server.ts";
import { type Member, type Operator, type Visit, visit, visitOfMember, visitOfOperator } from "./session.server.ts";

/** What a form is told when it comes back. */
export type FormProblem = {
  message: string;
  fields: FieldError[];
  /** As typed; secrets left out. */
  values: Record<string, string>;
  /** Which of a page's forms. */
  intent: string;
};

type Work<World, Schema extends z.ZodType, Result> = (
  visit: World & { params: Record<string, string | undefined> },
  input: z.output<Schema>,
) => Promise<Result>;

type Form<Result> = (args: ActionFunctionArgs, fields: Record<string, string>) => Promise<Result>;

/** A form that anybody may send. */
export const openForm =
  <Schema extends z.ZodType, Result>(schema: Schema, work: Work<Visit, Schema, Result>): Form<Result> =>
  async (args, fields) =>
    work({ ...(await visit(args)), params: args.params }, validate(schema, fields));

/** A form of an account. */
export const memberForm =
  <Schema extends z.ZodType, Result>(schema: Schema, work: Work<Member, Schema, Result>): Form<Result> =>
  async (args, fields) =>
    work({ ...(await visitOfMember(args)), params: args.params }, validate(schema, fields));

/** A form of our own staff. */
export const operatorForm =
  <Schema extends z.ZodType, Result>(schema: Schema, work: Work<Operator, Schema, Result>): Form<Result> =>
  async (args, fields) =>
    work({ ...(await visitOfOperator(args)), params: args.params }, validate(schema, fields));

/** An action of one form, or of several told apart by the submit button's `intent`. */
export const formAction =
  <Result>(forms: Record<string, Form<Result>>) =>
  async (args: ActionFunctionArgs) => {
    refuseForeign(args.request);
    const { intent, ...fields } = textFields(await formDataOf(args.request));
    const name = intent ?? Object.keys(forms)[0] ?? "";
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (!form) throw new Response("No such form", { status: 400 });
    try {
      return { result: await form(args, fields), problem: null };
    } catch (error) {
      return refusedForm(error, fields, name);
    }
  };

/** The form again, with what was wrong. @throws the error where it is no refusal */
export const refusedForm = (error: unknown, fields: Record<string, string>, intent: string) => {
  const { kind, refusal } = failureOf(error);
  if (!refusal) throw error;
  const problem = problemOf(refusal, fields, intent);
  const { retryAfterSeconds } = refusal;
  const headers: Record<string, string> =
    retryAfterSeconds === null ? {} : { "Retry-After": String(retryAfterSeconds) };
  if (kind === "database_away") problem.message = outcomeUnknown;
  return data({ result: null, problem }, { status: statusOf(refusal), headers });
};

const outcomeUnknown = "The service is briefly unavailable. In a minute, check whether it was done, or try again";

const problemOf = (refusal: Refusal, fields: Record<string, string>, intent: string): FormProblem => ({
  message: headline(refusal),
  fields: refusal.fields,
  values: Object.fromEntries(Object.entries(fields).filter(([name]) => !/password|number|cvc|code/.test(name))),
  intent,
});

/** One complaint speaks for itself; several are listed under a common one. */
const headline = ({ fields, message }: Refusal): string =>
  fields.length === 0 ? message : fields.length === 1 ? (fields[0]?.message ?? message) : "Please check the form";

/** The page is shown again, so only what a browser or a script may want to know. */
const statusOf = (refusal: Refusal): number =>
  refusal.code === "rate_limited"
    ? 429
    : refusal.code === "unavailable"
      ? 503
      : refusal.code === "not_found"
        ? 404
        : 422;

/** Browsers say where a form came from; the cookie's SameSite=Lax is the second lock. */
export const refuseForeign = (request: Request): void => {
  const site = request.headers.get("Sec-Fetch-Site");
  const origin = request.headers.get("Origin");
  const host = request.headers.get("X-Forwarded-Host") ?? request.headers.get("Host") ?? new URL(request.url).host;
  const foreign = origin !== null && (!URL.canParse(origin) || new URL(origin).host !== host);
  if (site === "cross-site" || site === "same-site" || foreign) {
    throw new Response("This form was sent from another site", { status: 403 });
  }
};

/** Several times the longest text that any form of ours takes, however it is encoded. */
const longestFormBytes = 256 * 1024;

const formDataOf = async (request: Request): Promise<FormData> => {
  const body = await bodyUpTo(longestFormBytes, request).catch(unlessGone);
  if (!body) throw new Response("No form of ours is that long", { status: 413, headers: { Connection: "close" } });
  const headers = { "Content-Type": request.headers.get("Content-Type") ?? "" };
  try {
    return await new Response(body, { headers }).formData();
  } catch {
    throw new Response("This is not a form", { status: 400 });
  }
};

/** Remix would take it for a fault of ours. */
const unlessGone = (error: unknown): never => {
  if (failureOf(error).kind === "client_gone") throw new Response(null, { status: 400 });
  throw error;
};

const textFields = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form.entries()].filter((entry): entry is [string, string] => typeof entry[1] === "string"));
