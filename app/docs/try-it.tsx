import { Link } from "@remix-run/react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { Alert } from "../portal/components/alert.tsx";
import { Badge } from "../portal/components/badge.tsx";
import { Button } from "../portal/components/button.tsx";
import { Card } from "../portal/components/card.tsx";
import { CodeBlock } from "../portal/components/code-block.tsx";
import { Field } from "../portal/components/field.tsx";
import { Icon } from "../portal/components/icon.tsx";
import { SelectField } from "../portal/components/select-field.tsx";
import { TextField } from "../portal/components/text-field.tsx";
import { type Credentials, useCredentials } from "./credentials.tsx";
import type { Operation, Parameter } from "./reference.ts";

/** A console that sends real requests from the reader's browser. Without scripts, the samples show the same request. */
export const TryIt = ({ operation }: { operation: Operation }) => (
  <Card title="Try it" description="Sends a real request, which counts towards your rate limit.">
    <p className="mb-4 hidden text-muted text-sm noscript:block">
      The console needs JavaScript. The samples send the same request.
    </p>
    <Console operation={operation} />
  </Card>
);

type Answer = { status: number; milliseconds: number; headers: string; body: string; note: string | null };

const Console = ({ operation }: { operation: Operation }) => {
  const { credentials, change, keepKey } = useCredentials();
  // Until then, the browser would send the form itself.
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const [answer, setAnswer] = useState<Answer | "failed" | null>(null);
  const [sending, setSending] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setSending(true);
    setAnswer(await send(operation, form, credentials, { change, keepKey }).catch(() => "failed" as const));
    setSending(false);
  };

  return (
    <div className="space-y-5">
      <form onSubmit={submit} autoComplete="off">
        <fieldset disabled={!ready} className="space-y-4">
          {operation.access === "bearer" || operation.access === "bearer_or_key" ? (
            <CredentialField
              name="token"
              label="Bearer token"
              hint="Filled in when you log in with the console of POST /auth/login."
            />
          ) : null}
          {operation.access === "key" || operation.access === "bearer_or_key" ? (
            <>
              <CredentialField name="apiKey" label="API key" hint={<KeyHint />} />
              <CredentialField name="username" label="Username" hint="Sent as X-Username." />
            </>
          ) : null}
          <Parameters parameters={operation.parameters} />
          {operation.body ? (
            <Field name={fieldName("body")} label="Body" hint="JSON.">
              <textarea
                id={fieldName("body")}
                name={fieldName("body")}
                defaultValue={operation.body.example}
                rows={Math.min(16, operation.body.example.split("\n").length + 1)}
                spellCheck={false}
                aria-describedby={`${fieldName("body")}-hint`}
                className="control font-mono"
              />
            </Field>
          ) : null}
          <Button variant="primary" pending={sending}>
            Send {operation.method} request
          </Button>
        </fieldset>
      </form>
      <div aria-live="polite">
        {answer === "failed" ? (
          <Alert tone="danger" title="The request was not sent">
            Check your connection, and that keys and headers contain only ASCII characters.
          </Alert>
        ) : answer ? (
          <AnswerView answer={answer} />
        ) : null}
      </div>
    </div>
  );
};

const fieldName = (name: string) => `try-${name}`;

const KeyHint = () => (
  <>
    Sent as X-API-Key. Filled in if you created it in this tab; otherwise paste one, or{" "}
    <Link to="/api-keys" className="link">
      create one
    </Link>
    .
  </>
);

type CredentialProps = { name: keyof Credentials; label: string; hint: ReactNode };

const CredentialField = ({ name, label, hint }: CredentialProps) => {
  const { credentials, change } = useCredentials();
  return (
    <TextField
      name={fieldName(name)}
      label={label}
      hint={hint}
      type={name === "username" ? "text" : "password"}
      autoComplete="off"
      spellCheck={false}
      value={credentials[name]}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  );
};

/** More optional ones than this are collapsed. */
const mostOptionalShown = 2;

const Parameters = ({ parameters }: { parameters: readonly Parameter[] }) => {
  const required = parameters.filter((parameter) => parameter.required);
  const optional = parameters.filter((parameter) => !parameter.required);
  const fieldsOf = (some: readonly Parameter[]) =>
    some.map((parameter) => <ParameterField key={parameter.name} parameter={parameter} />);
  return (
    <>
      {fieldsOf(required)}
      {optional.length <= mostOptionalShown ? (
        fieldsOf(optional)
      ) : (
        <details className="group/optional">
          <summary className="inline-flex min-h-9 items-center gap-1 rounded-md pr-2 font-medium text-muted text-sm hover:text-ink">
            <Icon name="chevron-right" className="size-4 group-open/optional:rotate-90" />
            {optional.length} optional parameters
          </summary>
          <div className="mt-2 space-y-4">{fieldsOf(optional)}</div>
        </details>
      )}
    </>
  );
};

const ParameterField = ({ parameter }: { parameter: Parameter }) => {
  const shared = {
    name: fieldName(parameter.name),
    label: parameter.name,
    optional: !parameter.required,
    hint: parameter.description,
  };
  if (parameter.values.length > 0) {
    const options = parameter.values.map((value) => ({ value, label: value }));
    return (
      <SelectField {...shared} options={parameter.required ? options : [{ value: "", label: "Any" }, ...options]} />
    );
  }
  return (
    <TextField
      {...shared}
      required={parameter.required}
      inputMode={parameter.type === "integer" ? "numeric" : "text"}
      spellCheck={false}
      placeholder={parameter.required ? "" : parameter.example}
      defaultValue={parameter.required ? parameter.example : ""}
    />
  );
};

type Keeper = Pick<ReturnType<typeof useCredentials>, "change" | "keepKey">;

const send = async (
  operation: Operation,
  form: FormData,
  credentials: Credentials,
  shared: Keeper,
): Promise<Answer> => {
  const given = operation.parameters
    .map((parameter) => ({ ...parameter, value: String(form.get(fieldName(parameter.name)) ?? "") }))
    .filter(({ value }) => value !== "");
  const path = given
    .filter((parameter) => parameter.in === "path")
    .reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)), operation.path);
  const query = new URLSearchParams(given.filter((one) => one.in === "query").map(({ name, value }) => [name, value]));
  const started = performance.now();
  const response = await fetch(`/api${path}${query.size === 0 ? "" : `?${query}`}`, {
    method: operation.method,
    credentials: "omit",
    cache: "no-store",
    headers: {
      ...Object.fromEntries(given.filter((one) => one.in === "header").map(({ name, value }) => [name, value])),
      ...credentialHeaders(operation, credentials),
      ...(operation.body ? { "Content-Type": "application/json" } : {}),
    },
    ...(operation.body ? { body: String(form.get(fieldName("body")) ?? "") } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - started),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n"),
    body: readable(text),
    note: response.ok ? keep(text, shared) : null,
  };
};

const credentialHeaders = ({ access }: Operation, { token, apiKey, username }: Credentials): Record<string, string> => {
  if (access !== "public" && access !== "key" && token !== "") return { Authorization: `Bearer ${token}` };
  if (access !== "key" && access !== "bearer_or_key") return {};
  return { ...(apiKey === "" ? {} : { "X-API-Key": apiKey }), ...(username === "" ? {} : { "X-Username": username }) };
};

/** Shares a token or key from a response with the other consoles. */
const keep = (text: string, { change, keepKey }: Keeper): string | null => {
  const { access_token, api_key, user } = fieldsIn(text);
  if (typeof access_token === "string") {
    change({ token: access_token });
    return "All consoles use this token until you reload the page.";
  }
  if (typeof api_key === "string" && typeof user === "string") {
    keepKey({ secret: api_key, user });
    return "All consoles use this key until you close this tab. We do not show it again: store it now.";
  }
  return null;
};

const fieldsIn = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

const longest = 40_000;

const readable = (text: string): string => {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: show it unchanged.
  }
  return shown.length > longest ? `${shown.slice(0, longest)}\n… (${shown.length - longest} more characters)` : shown;
};

const AnswerView = ({ answer }: { answer: Answer }) => (
  <section aria-label="Response" className="space-y-3 [&_pre]:max-h-96 [&_pre]:overflow-y-auto">
    <p className="flex items-center gap-3 text-muted text-sm">
      <Badge tone={answer.status < 400 ? "success" : answer.status < 500 ? "warning" : "danger"}>
        Status {answer.status}
      </Badge>
      {answer.milliseconds} ms
    </p>
    {answer.note ? <Alert tone="success">{answer.note}</Alert> : null}
    {answer.body === "" ? null : <CodeBlock title="Body" code={answer.body} />}
    <CodeBlock title="Headers" code={answer.headers} />
  </section>
);
