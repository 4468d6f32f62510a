import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { z } from "zod";
import { allColumns, formats } from "#app/domain/imports/formats.ts";
import { applyImport, discardImport, type ReadImport, readImport } from "#app/domain/imports/imports.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { ProgressBar } from "#app/portal/components/progress-bar.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatInstant, formatNumber, formatWord } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { waitBriefly } from "./brief-wait.ts";
import { FindingsCard } from "./findings-card.tsx";
import { ImportBadge } from "./import-badge.tsx";
import { PreviewCard } from "./preview-card.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.fileName || "Import"} · Import · Operations · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const one = await orErrorResponse(readImport(ctx, caller, { id: idOf(args.params.import_id) }));
  return {
    ...one,
    columns: columnsOf(one),
    createdAt: one.createdAt.toISOString(),
    endedAt: one.endedAt?.toISOString() ?? null,
  };
};

/** Those of the first rows. A `jsonb` column does not keep the file's order, so the template's is shown. */
const columnsOf = ({ kind, firstRows }: ReadImport): string[] => {
  const inFile = Object.keys(firstRows[0]?.cells ?? {});
  const known = allColumns(formats[kind]).filter((column) => inFile.includes(column));
  return [...new Set([...known, ...inFile])];
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
        title={<span className="[overflow-wrap:anywhere]">{one.fileName || `Import ${one.id}`}</span>}
        breadcrumbs={[{ label: "Import", to: "/operations/import" }]}
        badge={<ImportBadge item={one} />}
        description={`${formatWord(one.kind)}, uploaded by ${one.operator ?? "a closed account"}, ${formatInstant(one.createdAt)}`}
        actions={<Actions />}
      />
      {problem ? <FormError message={problem.message} /> : null}
      <div aria-live="polite" className="grid gap-6">
        {one.work ? <Progress work={one.work} /> : <Outcome />}
      </div>
      {one.work ? null : <Figures />}
      {one.work ? null : <Findings />}
      {one.preview && !one.work && one.status === "checked" ? (
        <PreviewCard preview={one.preview} changed={one.counts.new + one.counts.changed} />
      ) : null}
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
        confirm="Discard file"
        pendingLabel="Discarding…"
      >
        This deletes its rows. Nothing is written to the catalogue, and you can upload the file again.
      </Confirmation>
      {status === "checked" ? (
        <Form method="post">
          <SubmitButton name="intent" value="apply" icon="check" pendingLabel="Applying…">
            Apply to catalogue
          </SubmitButton>
        </Form>
      ) : null}
    </>
  );
};

type Work = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["work"]>;

const Progress = ({ work }: { work: Work }) => {
  const { id } = useLoaderData<typeof loader>();
  return (
    <Card title={work.task === "checking" ? "Checking the file" : "Applying the file"}>
      {work.rowsExpected > 0 ? (
        <ProgressBar label="Rows" value={work.rowsDone} max={Math.max(work.rowsExpected, work.rowsDone)} calm />
      ) : (
        <p className="text-sm">{formatCount(work.rowsDone, "row")} read</p>
      )}
      <p className="mt-3 text-muted text-sm">
        The work continues if you leave this page.{" "}
        <Link to={`/operations/import/${id}`} reloadDocument className="link">
          Refresh
        </Link>
      </p>
    </Card>
  );
};

const Outcome = () => {
  const { status, counts, interrupted, endedAt } = useLoaderData<typeof loader>();
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
        {`${formatCount(counts.new, "new record")}, ${formatNumber(counts.changed)} changed.`}
      </Alert>
    );
  }
  if (status === "discarded") {
    return (
      <Alert tone="info" title="Discarded" action={<UploadAgain />}>
        Nothing was written. The rows of the file are deleted.
      </Alert>
    );
  }
  if (status === "refused") {
    return (
      <Alert
        tone="danger"
        title={`Fix ${formatCount(counts.errors, "error")} to apply this file`}
        action={<UploadAgain />}
      >
        {counts.errors === 1 ? "Correct it in the file" : "Correct them in the file"}, then upload it again.
      </Alert>
    );
  }
  return counts.new + counts.changed === 0 ? (
    <Alert tone="info" title="No changes">
      The catalogue already matches the file.
    </Alert>
  ) : (
    <Alert tone="info" title="Nothing written yet">
      {`Applying the file writes ${formatCount(counts.new + counts.changed, "record")}: all, or none if something fails.`}
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
      <Stat label="Rows" value={formatNumber(counts.rows)} />
      <Stat label="New" value={formatNumber(counts.new)} />
      <Stat label="Changed" value={formatNumber(counts.changed)} />
      <Stat label="Unchanged" value={formatNumber(counts.unchanged)} />
      <Stat label="Errors" value={formatNumber(counts.errors)} />
      <Stat label="Warnings" value={formatNumber(counts.warnings)} />
    </Stats>
  );
};

const Findings = () => {
  const { id, fileName, errors, warnings, counts } = useLoaderData<typeof loader>();
  const file = { fileName, importId: id };
  return (
    <>
      {errors.length > 0 ? <FindingsCard title="Errors" findings={errors} count={counts.errors} {...file} /> : null}
      {warnings.length > 0 ? (
        <FindingsCard title="Warnings" findings={warnings} count={counts.warnings} {...file} />
      ) : null}
    </>
  );
};

const FirstRows = () => {
  const { firstRows, columns } = useLoaderData<typeof loader>();
  return (
    <Card title="First rows" flush>
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
