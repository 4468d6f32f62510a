import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { auditExportRows, listAudit } from "#app/domain/operations/audit.server.ts";
import { auditFilter } from "#app/domain/operations/audit-filter.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Table } from "#app/portal/components/table.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formatNumber, formatWord } from "#app/portal/format.ts";
import { searchByParams } from "#app/portal/search-params.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { actions } from "../../account/activity-words.ts";
import { ListFilters } from "../list-filters.tsx";
import { accountColumn, actColumn, actorColumn, timeColumn } from "./audit-columns.tsx";
import { auditRow } from "./audit-row.ts";

export const meta: MetaFunction = () => [{ title: "Audit · Operations · Shipping Route Data Service" }];

const pageSize = 50;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const found = await searchByParams(args.request, auditFilter, ({ filter, cursor }) =>
    listAudit(ctx, caller, filter, { limit: pageSize, cursor }),
  );
  return { ...found, rows: found.rows.map(auditRow), actions, auditExportRows };
};

const Audit = () => {
  const { rows, nextCursor, problem, auditExportRows } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filter = new URLSearchParams([...search].filter(([name, value]) => name !== "cursor" && value !== ""));
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Audit"
        description="What was done to accounts and by whom, newest first. Nothing here can be changed."
        actions={
          rows.length > 0 ? (
            <ButtonLink to={`/operations/audit.csv?${filter}`} icon="download" reloadDocument prefetch="none">
              Download CSV
            </ButtonLink>
          ) : null
        }
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <Filters />
      <Card flush>
        <Table
          caption="Acts"
          columns={[actColumn, accountColumn, actorColumn, timeColumn]}
          rows={rows}
          rowKey={(row) => row.id}
          empty={
            <EmptyState
              icon="search"
              title="No act fits"
              action={<ButtonLink to="/operations/audit">Show all acts</ButtonLink>}
            >
              Try fewer filters.
            </EmptyState>
          }
        />
      </Card>
      <Pagination nextCursor={nextCursor} />
      <p className="text-[0.8125rem] text-muted">
        The CSV file holds the newest {formatNumber(auditExportRows)} acts that fit the filters.
      </p>
    </div>
  );
};

export default Audit;

const Filters = () => {
  const { actions, problem } = useLoaderData<typeof loader>();
  return (
    <ListFilters
      label="Acts"
      names={["account", "actor", "action"]}
      columns="lg:grid-cols-[1fr_1fr_2fr_auto]"
      act="filter"
    >
      {(value) => (
        <>
          <TextField
            name="account"
            label="Account number"
            inputMode="numeric"
            defaultValue={value("account")}
            error={errorOf(problem?.fields, "account")}
            autoComplete="off"
          />
          <TextField
            name="actor"
            label="By account number"
            inputMode="numeric"
            defaultValue={value("actor")}
            error={errorOf(problem?.fields, "actor")}
            autoComplete="off"
          />
          <SelectField
            name="action"
            label="Act"
            defaultValue={value("action")}
            options={[
              { value: "", label: "Every act" },
              ...actions.map((action) => ({ value: action, label: formatWord(action.replace(".", "_")) })),
            ]}
          />
        </>
      )}
    </ListFilters>
  );
};
