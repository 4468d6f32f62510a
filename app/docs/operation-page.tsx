import { Link } from "../portal/components/button.tsx";
import { Card } from "../portal/components/card.tsx";
import { CodeBlock } from "../portal/components/code-block.tsx";
import { Icon } from "../portal/components/icon.tsx";
import { PageHeader } from "../portal/components/page-header.tsx";
import { FieldList } from "./field-list.tsx";
import { InlineText } from "./inline-text.tsx";
import { MethodBadge } from "./method-badge.tsx";
import type { Operation, OperationAccess, OperationResponse, Sample } from "./reference.ts";
import { TryIt } from "./try-it.tsx";

export const OperationPage = ({ operation }: { operation: Operation }) => {
  const success = operation.responses.filter(({ status }) => status < 400);
  const errors = operation.responses.filter(({ status }) => status >= 400);
  return (
    <article className="space-y-6">
      <PageHeader
        title={operation.summary}
        description={operation.description ? <InlineText text={operation.description} /> : null}
        breadcrumbs={[
          { label: "Docs", to: "/docs" },
          { label: "Reference", to: "/docs/reference" },
        ]}
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-line bg-surface px-5 py-3">
        <MethodBadge method={operation.method} />
        <code className="font-mono text-ink text-sm [overflow-wrap:anywhere]">{operation.path}</code>
        <span className="flex w-full items-center gap-1.5 text-muted text-sm sm:ml-auto sm:w-auto">
          <Icon name={operation.access === "public" ? "globe" : "lock"} className="size-4" />
          {access[operation.access]}
        </span>
      </div>
      <div className={operation.isStream ? "" : "grid items-start gap-6 xl:grid-cols-2"}>
        <Samples samples={operation.samples} />
        {operation.isStream ? null : <TryIt key={operation.slug} operation={operation} />}
      </div>
      {operation.parameters.length > 0 ? <Parameters operation={operation} /> : null}
      {operation.body ? (
        <Card title="Body" description={`JSON; other fields are rejected. ${operation.body.note ?? ""}`.trim()}>
          <div className="space-y-5">
            <FieldList fields={operation.body.fields} showRequired />
            <CodeBlock title="Example body" code={operation.body.example} />
          </div>
        </Card>
      ) : null}
      {success.map((response) => (
        <Success key={response.status} response={response} />
      ))}
      <Errors errors={errors} />
    </article>
  );
};

const access = {
  public: "No credentials needed",
  bearer: "Bearer token",
  key: "API key and username",
  bearer_or_key: "Bearer token, or API key and username",
} satisfies Record<OperationAccess, string>;

/** An accordion that works without scripts: opening one closes the others. */
const Samples = ({ samples }: { samples: readonly Sample[] }) => (
  <section aria-label="Samples" className="min-w-0 space-y-2">
    {samples.map(({ title, language, code }, i) => (
      <details key={title} name="samples" open={i === 0} className="group/sample">
        <summary className="inline-flex min-h-9 items-center gap-1 rounded-md pr-2 font-medium text-muted text-sm hover:text-ink">
          <Icon name="chevron-right" className="size-4 group-open/sample:rotate-90" />
          {title}
        </summary>
        <div className="mt-1 mb-2">
          <CodeBlock title={title} language={language} code={code} />
        </div>
      </details>
    ))}
  </section>
);

const places = { path: "Path", query: "Query", header: "Headers" } as const;

const Parameters = ({ operation }: { operation: Operation }) => (
  <Card title="Parameters">
    <div className="space-y-5">
      {(["path", "query", "header"] as const).map((place) => {
        const fields = operation.parameters.filter((parameter) => parameter.in === place);
        return fields.length === 0 ? null : (
          <section key={place} aria-label={places[place]}>
            <h3 className="mb-2 font-semibold text-[0.8125rem] text-muted">{places[place]}</h3>
            <FieldList fields={fields} showRequired />
          </section>
        );
      })}
    </div>
  </Card>
);

const Success = ({ response }: { response: OperationResponse }) => (
  <Card
    title={`${response.status} ${response.status === 304 ? "Not Modified" : response.status === 201 ? "Created" : "OK"}`}
    description={response.description}
  >
    {response.fields.length > 0 || response.example ? (
      <div className="space-y-5">
        {response.fields.length > 0 ? <FieldList fields={response.fields} showRequired={false} /> : null}
        {response.example ? (
          <CodeBlock
            title={response.mediaType === "text/csv" ? "Example CSV" : "Example response"}
            code={response.example}
          />
        ) : null}
      </div>
    ) : null}
  </Card>
);

const Errors = ({ errors }: { errors: readonly OperationResponse[] }) => (
  <Card
    title="Errors"
    description={
      <>
        All errors have the{" "}
        <Link to="/docs/errors" className="link">
          same body
        </Link>
        .
      </>
    }
  >
    <dl className="divide-y divide-line text-sm leading-6">
      {errors.map(({ status, description }) => (
        <div key={status} className="flex gap-4 py-2 first:pt-0 last:pb-0">
          <dt className="w-10 shrink-0 font-mono font-semibold text-ink">{status}</dt>
          <dd className="text-muted">
            <InlineText text={description} />
          </dd>
        </div>
      ))}
    </dl>
  </Card>
);
