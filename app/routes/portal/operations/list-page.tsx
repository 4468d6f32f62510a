import type { ComponentProps, Key, ReactNode } from "react";
import { Card } from "#app/portal/components/card.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import type { SearchResult } from "#app/portal/search-params.server.ts";
import { ListFilters } from "./list-filters.tsx";

type Props<Row> = {
  header: ComponentProps<typeof PageHeader>;
  list: SearchResult<Row>;
  filters: Omit<ComponentProps<typeof ListFilters>, "errors">;
  /** What the table lists, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  /** Shown in place of the table when there are no rows. */
  empty: ReactNode;
  /** Shown below the table. */
  children?: ReactNode;
};

/** A list in the console: its filters, a table, and pages. The data comes from `loadList`. */
export const ListPage = <Row extends { id: Key }>({
  header,
  list: { rows, nextCursor, problem },
  filters,
  caption,
  columns,
  empty,
  children,
}: Props<Row>) => (
  <div className="grid gap-6">
    <PageHeader {...header} />
    {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
    <ListFilters {...filters} errors={problem?.fields} />
    <Card flush>
      <Table caption={caption} columns={columns} rows={rows} rowKey={(row) => row.id} empty={empty} />
    </Card>
    <Pagination nextCursor={nextCursor} />
    {children}
  </div>
);
