import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { formats, importKinds } from "#app/domain/imports/formats.ts";
import { listImports } from "#app/domain/imports/imports.server.ts";
import { unappliedImportDays } from "#app/domain/imports/policy.ts";
import { counted } from "#app/domain/wording.ts";
import { Button } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FileField } from "#app/portal/components/file-field.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { ProgressBar } from "#app/portal/components/progress-bar.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formatInstant, formatNumber, formatWord } from "#app/portal/format.ts";
import { searchByParams } from "#app/portal/search-params.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { ImportBadge } from "./import-badge.tsx";
import { receiveUpload } from "./receive-upload.server.ts";
import { useUpload } from "./use-upload.ts";

export const meta: MetaFunction = () => [{ title: "Import · Operations · Shipping Route Data Service" }];

const pageSize = 20;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const found = await searchByParams(args.request, z.object({}), ({ cursor }) =>
    listImports(ctx, caller, { limit: pageSize, cursor }),
  );
  return {
    nextCursor: found.nextCursor,
    problem: found.problem,
    rows: found.rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    })),
    kinds: importKinds.map((kind) => {
      const { columns, template, about, syntax } = formats[kind];
      return { kind, ...columns, template, about, syntax };
    }),
  };
};

/** Without scripts. */
export const action = async (args: ActionFunctionArgs) => {
  const answer = await receiveUpload(args);
  if ("result" in answer && answer.result !== null) throw redirect(answer.result);
  return answer;
};

const Import = () => {
  const { rows, nextCursor, problem } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Import"
        description="Upload catalogue files. We check a file first and write nothing until you apply it."
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Upload />
        <Templates />
      </div>
      <Card
        title="Imports"
        description={`Newest first. Files that are not applied are discarded after ${counted(unappliedImportDays, "day")}.`}
        flush
      >
        <Table
          caption="Imports"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          empty={
            <EmptyState icon="layers" title="No imports yet">
              Start with a template: it has the columns and sample rows.
            </EmptyState>
          }
        />
      </Card>
      <Pagination nextCursor={nextCursor} />
    </div>
  );
};

export default Import;

const Upload = () => {
  const { kinds } = useLoaderData<typeof loader>();
  const upload = useUpload("/operations/import/upload");
  const answered = useActionData<typeof action>()?.problem;
  const problem = upload.problem ?? answered;
  return (
    <Card title="Check a file">
      <Form
        method="post"
        encType="multipart/form-data"
        className="grid gap-5"
        noValidate
        reloadDocument
        onSubmit={upload.send}
      >
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <SelectField
          name="kind"
          label="Contents"
          defaultValue={problem?.values.kind ?? ""}
          options={[
            { value: "", label: "Detect from the columns" },
            ...kinds.map(({ kind }) => ({ value: kind, label: formatWord(kind) })),
          ]}
          error={errorOf(problem?.fields, "kind")}
        />
        {/* The last field, so that the others have been read when the file is rejected. */}
        <FileField
          name="file"
          label="File"
          hint="CSV or JSON Lines in UTF-8, any size"
          accept=".csv,.jsonl,.ndjson,.txt,text/csv,application/x-ndjson"
          required
          error={errorOf(problem?.fields, "file")}
        />
        <div>
          <Button type="submit" pending={upload.progress !== null}>
            {upload.progress ? "Uploading…" : "Check file"}
          </Button>
        </div>
        {upload.progress ? (
          <ProgressBar
            label="Kilobytes sent"
            value={Math.round(upload.progress.sent / 1024)}
            max={Math.round(upload.progress.total / 1024)}
            calm
          />
        ) : null}
      </Form>
    </Card>
  );
};

const Templates = () => {
  const { kinds } = useLoaderData<typeof loader>();
  return (
    <Card title="Templates" description="Import them in this order: each refers to the ones before it.">
      <ul className="grid gap-4 text-sm">
        {kinds.map(({ kind, required, optional, template, about, syntax }) => (
          <li key={kind} className="grid gap-1">
            <a href={`/import-templates/${template}`} download className="link inline-flex w-fit items-center gap-1.5">
              <Icon name="download" className="size-4" />
              {template}
            </a>
            <p className="text-[0.8125rem] text-muted leading-5">{about}</p>
            <details className="text-[0.8125rem] text-muted leading-5">
              <summary className="w-fit cursor-pointer rounded py-0.5 font-medium text-ink hover:underline">
                {syntax === "json_lines" ? "Fields" : "Columns"}
              </summary>
              <p className="mt-1 break-words">
                <code className="font-mono">{required.join(", ")}</code>.
                {optional.length > 0 ? (
                  <>
                    {" "}
                    May be left out: <code className="font-mono">{optional.join(", ")}</code>.
                  </>
                ) : null}
              </p>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  );
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

const columns: Column<Row>[] = [
  {
    key: "file",
    header: "File",
    primary: true,
    cell: (row) => (
      <Link to={`/operations/import/${row.id}`} prefetch="intent" className="link [overflow-wrap:anywhere]">
        {row.fileName || `Import ${row.id}`}
      </Link>
    ),
  },
  { key: "kind", header: "Contents", cell: (row) => formatWord(row.kind) },
  { key: "status", header: "Status", cell: (row) => <ImportBadge item={row} /> },
  { key: "new", header: "New", align: "end", cell: (row) => formatNumber(row.counts.new) },
  { key: "changed", header: "Changed", align: "end", cell: (row) => formatNumber(row.counts.changed) },
  { key: "errors", header: "Errors", align: "end", cell: (row) => formatNumber(row.counts.errors) },
  { key: "who", header: "By", cell: (row) => row.operator ?? "A closed account" },
  { key: "when", header: "Checked", cell: (row) => formatInstant(row.createdAt) },
];
