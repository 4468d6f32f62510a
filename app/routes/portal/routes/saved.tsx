import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { maxSavedSearches } from "#app/domain/saved-searches/policy.ts";
import {
  deleteSavedSearch,
  listSavedSearches,
  renameSearch,
  saveSearch,
} from "#app/domain/saved-searches/saved-searches.server.ts";
import { searchName } from "#app/domain/saved-searches/search-name.ts";
import { searchQuery } from "#app/domain/saved-searches/search-query.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount } from "#app/portal/format.ts";
import { idField } from "#app/portal/params.ts";
import { safePath, visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { readSearch } from "./read-search.ts";
import { SearchNameField } from "./save-search.tsx";
import { queryInWords } from "./search-labels.ts";

export const meta: MetaFunction = () => [{ title: "Saved searches · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const saved = await listSavedSearches(ctx, caller);
  return { saved: saved.map(({ id, name, query }) => ({ id, name, query, words: queryInWords(query) })) };
};

const longestAddress = 4_000;
const newSearch = z.object({
  name: searchName,
  query: z.string().max(longestAddress),
  back: z.string().max(longestAddress).optional(),
});
const savedSearch = z.object({ id: idField });

export const action = (args: ActionFunctionArgs) =>
  formAction({
    save: memberForm(newSearch, async ({ ctx, caller }, { name, query: entered, back }) => {
      const query = searchQuery(readSearch(new URLSearchParams(entered)).search);
      await saveSearch(ctx, caller, { name, query });
      throw await redirectWithToast(safePath(back ?? `/routes?${query}`), {
        message: "Search saved.",
        link: { label: "View saved searches", to: "/routes/saved" },
      });
    }),
    rename: memberForm(savedSearch.extend({ name: searchName }), async ({ ctx, caller }, input) => {
      await renameSearch(ctx, caller, input);
      throw await redirectWithToast("/routes/saved", { message: "Search renamed." });
    }),
    delete: memberForm(savedSearch, async ({ ctx, caller }, input) => {
      await deleteSavedSearch(ctx, caller, input);
      throw await redirectWithToast("/routes/saved", { message: "Saved search deleted." });
    }),
  })(args);

type Saved = ReturnType<typeof useLoaderData<typeof loader>>["saved"][number];

const SavedSearches = () => {
  const { saved } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem ?? null;
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Saved searches"
        breadcrumbs={[{ label: "Routes", to: "/routes" }]}
        description={`Up to ${formatCount(maxSavedSearches, "search", "searches")} of the catalogue, each under a name of yours.`}
        actions={
          <ButtonLink to="/routes" icon="search">
            New search
          </ButtonLink>
        }
      />
      {problem?.intent === "save" ? (
        <NotSaved problem={problem} />
      ) : problem?.intent === "delete" ? (
        <FormError message={problem.message} />
      ) : null}
      <Card flush>
        {saved.length > 0 ? (
          <ul aria-label="Saved searches" className="divide-y divide-line">
            {saved.map((search) => (
              <Row
                // A new name closes the form.
                key={`${search.id} ${search.name}`}
                search={search}
                problem={problem?.intent === "rename" && problem.values.id === String(search.id) ? problem : null}
              />
            ))}
          </ul>
        ) : (
          <EmptyState
            icon="search"
            title="You have not saved any searches yet"
            action={
              <ButtonLink to="/routes" variant="primary" icon="search">
                Search routes
              </ButtonLink>
            }
          >
            Choose ports or filters in the list of routes, then “Save this search”.
          </EmptyState>
        )}
      </Card>
    </div>
  );
};

export default SavedSearches;

type Problem = NonNullable<Exclude<ReturnType<typeof useActionData<typeof action>>, undefined>["problem"]>;

/** The form again, with what to correct. */
const NotSaved = ({ problem }: { problem: Problem }) => {
  const { name = "", query = "", back = "" } = problem.values;
  return (
    <Card title="Save this search" description={queryInWords(query)}>
      <Form method="post" className="grid max-w-xl gap-4" noValidate>
        <FormError message={problem.message} fields={problem.fields} />
        <input type="hidden" name="query" value={query} />
        <input type="hidden" name="back" value={back} />
        <SearchNameField id="name" defaultValue={name} error={errorOf(problem.fields, "name")} />
        <div className="flex flex-wrap gap-2.5">
          <SubmitButton name="intent" value="save" pendingLabel="Saving…">
            Save search
          </SubmitButton>
          <ButtonLink to={`/routes?${query}`}>Back to the search</ButtonLink>
        </div>
      </Form>
    </Card>
  );
};

const Row = ({ search: { id, name, query, words }, problem }: { search: Saved; problem: Problem | null }) => (
  <li className="grid gap-2 px-5 py-4">
    <div className="flex items-start justify-between gap-4">
      <div className="wrap-anywhere min-w-0">
        <Link to={`/routes?${query}`} prefetch="intent" className="link">
          {name}
        </Link>
        <p className="mt-0.5 text-muted text-sm">{words}</p>
      </div>
      <Confirmation
        id={`delete-${id}`}
        label="Delete"
        name={`Delete ${name}`}
        size="small"
        title={`Delete “${name}”?`}
        intent="delete"
        fields={{ id }}
        confirm="Delete search"
      >
        You cannot undo this.
      </Confirmation>
    </div>
    <details open={problem !== null || undefined}>
      <summary
        aria-label={`Rename ${name}`}
        className="inline-flex min-h-8 items-center rounded font-medium text-[0.8125rem] text-accent hover:underline"
      >
        Rename
      </summary>
      <Form method="post" className="mt-1 grid max-w-xl gap-3" noValidate>
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <input type="hidden" name="id" value={id} />
        <SearchNameField
          id={problem ? "name" : `name-${id}`}
          defaultValue={problem?.values.name ?? name}
          error={errorOf(problem?.fields, "name")}
        />
        <div>
          <SubmitButton name="intent" value="rename" pendingLabel="Saving…" size="small">
            Save name
          </SubmitButton>
        </div>
      </Form>
    </details>
  </li>
);
