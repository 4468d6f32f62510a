import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { z } from "zod";
import { applyImport, discardImport, readImport } from "#app/domain/imports/imports.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { ProgressBar } from "#app/portal/components/progress-bar.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatInstant, formatNumber, formatWord } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { waitBriefly } from "./brief-wait.ts";
import { ImportBadge } from "./import-badge.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.fileName || "Import"} · Import · Operations · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const one = await orErrorResponse(readImport(ctx, caller, { id: idOf(args.params.import_id) }));
  return {
    ...one,
    createdAt: one.createdAt.toISOString(),
    endedAt: one.endedAt?.toISOString() ?? null,
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    apply: operatorForm(z.object({}), async ({ ctx, caller, params }) => {
      const id = idOf(params.import_id);
      const { done } = await applyImport(ctx, caller, { id });
      done.catch((error: unknown) =>
        ctx.log.warn("An import was not applied", { import_id: id, reason: String(error) }),
      );
      await waitBriefly(done);
      throw redirect(`/operations/import/${id}`);
    }),
    discard: operatorForm(z.object({}), async ({ ctx, caller, params }) => {
      await discardImport(ctx, caller, { id: idOf(params.import_id) });
      throw redirect("/operations/import");
    }),
  })(args);

const ImportPage = () => {
  const one = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  usePolling(one.work !== null);
  return (
    <div className="grid gap-6">
      <PageHeader
        title={<span className="break-all">{one.fileName || `Import ${one.id}`}</span>}
        breadcrumbs={[{ label: "Import", to: "/operations/import" }]}
        badge={<ImportBadge item={one} />}
        description={`${formatWord(one.kind)}, brought by ${one.operator ?? "a closed account"}, ${formatInstant(one.createdAt)}`}
        actions={<Actions />}
      />
      {problem ? <FormError message={problem.message} /> : null}
      <div aria-live="polite" className="grid gap-6">
        {one.work ? <Progress work={one.work} /> : <Outcome />}
      </div>
      {one.work ? null : <Figures />}
      {one.errors.length > 0 ? <Errors /> : null}
      {one.firstRows.length > 0 && !one.work ? <FirstRows /> : null}
    </div>
  );
};

export default ImportPage;

const pollMs = 1_000;

/** Reloads the data every second while the import is being checked or applied. */
const usePolling = (isWorking: boolean) => {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!isWorking || state !== "idle") return;
    const timer = setTimeout(revalidate, pollMs);
    return () => clearTimeout(timer);
  }, [isWorking, revalidate, state]);
};

const Actions = () => {
  const { status, work, endedAt } = useLoaderData<typeof loader>();
  if (work || endedAt !== null) return null;
  return (
    <>
      <Confirmation
        id="discard"
        label="Discard"
        icon="trash"
        title="Discard this file?"
        intent="discard"
        confirm="Discard the file"
        pendingLabel="Discarding…"
      >
        Its text is erased and nothing of it reaches the catalogue. It can be uploaded again.
      </Confirmation>
      {status === "checked" ? (
        <Form method="post">
          <SubmitButton name="intent" value="apply" icon="check" pendingLabel="Applying…">
            Apply to the catalogue
          </SubmitButton>
        </Form>
      ) : null}
    </>
  );
};

type Work = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["work"]>;

const Progress = ({ work }: { work: Work }) => {
  const { id } = useLoaderData<typeof loader>();
  const expected = Math.max(work.rowsExpected, work.rowsDone, 1);
  return (
    <Card title={work.task === "checking" ? "Checking the file" : "Applying the file"}>
      <ProgressBar label="Lines" value={work.rowsDone} max={expected} />
      <p className="mt-3 text-muted text-sm">
        It goes on when you leave this page.{" "}
        <Link to={`/operations/import/${id}`} reloadDocument className="link">
          See how far it is
        </Link>
      </p>
    </Card>
  );
};

const Outcome = () => {
  const { status, counts, kind, interrupted, endedAt } = useLoaderData<typeof loader>();
  if (interrupted) {
    return (
      <Alert tone="warning" title="The check was interrupted" action={<UploadAgain />}>
        Nothing was written. Upload the file again.
      </Alert>
    );
  }
  if (status === "applied") {
    return (
      <Alert
        tone="success"
        title={`Applied ${endedAt ? formatInstant(endedAt) : ""}`}
        action={
          <ButtonLink to="/routes" size="small">
            See the routes
          </ButtonLink>
        }
      >
        {`${formatCount(counts.new, "new record")}, ${formatNumber(counts.changed)} changed. The file's text is erased.`}
      </Alert>
    );
  }
  if (status === "discarded") {
    return (
      <Alert tone="info" title="Discarded" action={<UploadAgain />}>
        Nothing was written, and the file's text is erased.
      </Alert>
    );
  }
  if (status === "refused") {
    return (
      <Alert
        tone="danger"
        title={`${formatCount(counts.errors, "wrong value")}: nothing can be applied`}
        action={<UploadAgain />}
      >
        {counts.errors === 1 ? "Correct it in the file" : "Correct them in the file"}, and upload the file again.
      </Alert>
    );
  }
  return counts.new + counts.changed === 0 ? (
    <Alert tone="info" title="The catalogue says all of this already">
      Applying the file would change nothing.
    </Alert>
  ) : (
    <Alert tone="info" title="Nothing is written yet">
      {`Applying writes ${formatCount(counts.new + counts.changed, kind === "rates" ? "charge" : kind.slice(0, -1))} in one go, or nothing.`}
    </Alert>
  );
};

const UploadAgain = () => (
  <ButtonLink to="/operations/import" size="small">
    Upload again
  </ButtonLink>
);

const Figures = () => {
  const { counts } = useLoaderData<typeof loader>();
  return (
    <Stats>
      <Stat label="Lines" value={formatNumber(counts.rows)} />
      <Stat label="New" value={formatNumber(counts.new)} />
      <Stat label="Changed" value={formatNumber(counts.changed)} />
      <Stat label="Unchanged" value={formatNumber(counts.unchanged)} />
      <Stat label="Errors" value={formatNumber(counts.errors)} />
    </Stats>
  );
};

const Errors = () => {
  const { errors, counts } = useLoaderData<typeof loader>();
  return (
    <Card
      title="Errors"
      description={
        counts.errors > errors.length
          ? `The first ${formatNumber(errors.length)} of ${formatNumber(counts.errors)}.`
          : undefined
      }
      flush
    >
      <Table
        caption="Errors"
        columns={errorColumns}
        rows={errors.map((error, i) => ({ ...error, key: i }))}
        rowKey={(row) => row.key}
      />
    </Card>
  );
};

type CellError = ReturnType<typeof useLoaderData<typeof loader>>["errors"][number];

const errorColumns: Column<CellError>[] = [
  { key: "row", header: "Row", primary: true, cell: (row) => `Row ${row.row}` },
  {
    key: "column",
    header: "Column",
    cell: (row) =>
      row.column === "" ? (
        <span className="text-muted">Whole row</span>
      ) : (
        <code className="font-mono">{row.column}</code>
      ),
  },
  {
    key: "value",
    header: "Value",
    cell: (row) =>
      row.value === "" ? (
        <span className="text-muted">Empty</span>
      ) : (
        <code className="break-all font-mono">{row.value.slice(0, 120)}</code>
      ),
  },
  { key: "message", header: "What to do", cell: (row) => row.message },
];

const FirstRows = () => {
  const { firstRows } = useLoaderData<typeof loader>();
  const columns = Object.keys(firstRows[0]?.cells ?? {});
  return (
    <Card title="First lines, as they are read" flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard */}
      <section className="overflow-x-auto" tabIndex={0} aria-label="First lines of the file">
        <table className="w-full text-left text-[0.8125rem]">
          <caption className="sr-only">First lines of the file</caption>
          <thead className="bg-canvas text-muted">
            <tr>
              {["Row", ...columns].map((column) => (
                <th key={column} scope="col" className="whitespace-nowrap px-4 py-2 font-medium first:pl-5">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {firstRows.map(({ row, cells }) => (
              <tr key={row}>
                <th scope="row" className="py-2 pr-4 pl-5 font-medium tabular-nums">
                  {row}
                </th>
                {columns.map((column) => (
                  <td key={column} className="max-w-96 truncate whitespace-nowrap px-4 py-2 text-ink">
                    {cells[column] || <span className="text-faint">–</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
};
