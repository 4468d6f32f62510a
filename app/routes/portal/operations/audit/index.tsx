import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { auditExportRows, listAudit } from "#app/domain/operations/audit.server.ts";
import { auditFilter } from "#app/domain/operations/audit-filter.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { formatNumber, formatWord } from "#app/portal/format.ts";
import { actions } from "../../account/activity-words.ts";
import { loadList } from "../list-loader.server.ts";
import { ListPage } from "../list-page.tsx";
import { accountColumn, actColumn, actorColumn, timeColumn } from "./audit-columns.tsx";
import { auditRow } from "./audit-row.ts";

export const meta: MetaFunction = () => [{ title: "Audit · Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await loadList(args, auditFilter, listAudit, auditRow)),
  actions,
  auditExportRows,
});

const Audit = () => {
  const { actions, auditExportRows, ...list } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filter = new URLSearchParams([...search].filter(([name, value]) => name !== "cursor" && value !== ""));
  return (
    <ListPage
      header={{
        title: "Audit",
        description: "Changes to accounts and who made them, newest first. Entries cannot be changed.",
        actions:
          list.rows.length > 0 ? (
            <ButtonLink to={`/operations/audit.csv?${filter}`} icon="download" reloadDocument prefetch="none">
              Download CSV
            </ButtonLink>
          ) : null,
      }}
      list={list}
      filters={{
        label: "Audit log",
        columns: "lg:grid-cols-[1fr_1fr_2fr_auto]",
        fields: [
          { kind: "number", name: "account", label: "Account number" },
          { kind: "number", name: "actor", label: "Made by account number" },
          {
            kind: "choice",
            name: "action",
            label: "Act",
            any: "Any action",
            options: actions.map((action) => ({ value: action, label: formatWord(action.replace(".", "_")) })),
          },
        ],
      }}
      caption="Audit log"
      columns={[actColumn, accountColumn, actorColumn, timeColumn]}
      empty={
        <EmptyState
          icon="search"
          title="No entry matches"
          action={<ButtonLink to="/operations/audit">Show all entries</ButtonLink>}
        >
          Remove a filter.
        </EmptyState>
      }
    >
      <p className="text-[0.8125rem] text-muted">
        The CSV file holds the newest {formatNumber(auditExportRows)} entries that match the filters.
      </p>
    </ListPage>
  );
};

export default Audit;
