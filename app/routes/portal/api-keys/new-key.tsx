import { Link } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button } from "#app/portal/components/button.tsx";
import { CodeBlock } from "#app/portal/components/code-block.tsx";
import { useCreatedKey } from "#app/portal/components/created-key.ts";
import type { ExampleRoute } from "./example-route.server.ts";

export type CreatedKey = { secret: string; user: string; name: string };

type Props = {
  created: CreatedKey;
  appUrl: string;
  route: ExampleRoute | null;
};

/** The secret of a key that was just created, which is shown only now, with a request to test it. */
export const NewKey = ({ created, appUrl, route }: Props) => {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  useCreatedKey(created);
  const path = `/api/api-routes-data?id=${route?.id ?? 1}`;
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label="New key"
      className="grid min-w-0 gap-4 rounded-xl border border-success-line bg-success-soft p-5 focus:outline-none"
      role="status"
    >
      <div>
        <h2 className="font-semibold text-ink">{created.name}: copy this key now</h2>
        <p className="text-sm">You can see it only once. We store a hash of it, not the key itself.</p>
      </div>
      <CodeBlock title="API key" code={created.secret} wrap />
      <CodeBlock
        title="curl"
        code={`curl '${appUrl}${path}' \\\n  -H 'X-API-Key: ${created.secret}' \\\n  -H 'X-Username: ${created.user}'`}
      />
      {route === null ? (
        <p className="text-sm">
          You have no subscription yet, so the response is a 403: the key works, but you cannot read this route.
        </p>
      ) : route.isSample ? (
        <p className="text-sm">
          You have no subscription yet. This request reads a{" "}
          <Link to={`/routes/${route.id}`} className="link">
            sample route
          </Link>
          , which is open to every account.
        </p>
      ) : null}
      <TestKey created={created} path={path} />
    </section>
  );
};

type Answer = { status: number; statusText: string; limits: [name: string, value: string][]; body: string };

const shownLines = 12;

/** Sends a real request with the key from the browser. */
const TestKey = ({ created, path }: { created: CreatedKey; path: string }) => {
  const [isReady, setReady] = useState(false);
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<Answer | "failed" | null>(null);
  useEffect(() => setReady(true), []);
  // Without scripts there is the curl command.
  if (!isReady) return null;
  const send = async () => {
    setSending(true);
    setAnswer(await ask(path, created).catch(() => "failed" as const));
    setSending(false);
  };
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button type="button" onClick={send} pending={isSending} icon="refresh">
          Test this key
        </Button>
        <span className="text-muted text-sm">Sends one request from your browser. It counts toward your limit.</span>
      </div>
      <div role="status" aria-label="Result of the test" className="grid min-w-0 gap-3">
        {answer === "failed" ? (
          <p className="text-danger text-sm">No answer. Check your connection and try again.</p>
        ) : answer ? (
          <>
            <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
              <Badge tone={answer.status < 400 ? "success" : answer.status === 403 ? "warning" : "danger"}>
                {`${answer.status} ${answer.statusText}`.trim()}
              </Badge>
              {answer.limits.map(([name, value]) => (
                <span key={name} className="font-mono text-[0.8125rem]">
                  {name}: {value}
                </span>
              ))}
            </p>
            <CodeBlock title={`Response, first ${shownLines} lines`} code={answer.body} />
          </>
        ) : null}
      </div>
    </div>
  );
};

const limitHeaders = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

const ask = async (path: string, { secret, user }: CreatedKey): Promise<Answer> => {
  const response = await fetch(path, { headers: { "X-API-Key": secret, "X-Username": user } });
  const body = JSON.stringify(await response.json(), null, 2).split("\n");
  return {
    status: response.status,
    statusText: response.statusText,
    limits: limitHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] satisfies [string, string]];
    }),
    body: body.length > shownLines ? `${body.slice(0, shownLines).join("\n")}\n…` : body.join("\n"),
  };
};
