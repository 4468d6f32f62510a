/** Saving the search of the page under a name. */
import { Form, Link } from "@remix-run/react";
import { longestSearchName } from "#app/domain/saved-searches/policy.ts";
import { Button } from "#app/portal/components/button.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";

export type SearchToSave = {
  /** See `searchQuery`. */
  query: string;
  suggestedName: string;
  /** Null: the search is not saved. */
  savedAs: string | null;
};

const dialogId = "save-search";
// The types of React 18 lack these attributes.
const dialog: object = { popover: "auto" };
const opens: object = { popovertarget: dialogId };
const closes: object = { popovertarget: dialogId, popovertargetaction: "hide" };

type Props = { search: SearchToSave; signedIn: boolean };

/** Opens `SaveSearchDialog`. Visitors sign in first and return to the search. */
export const SaveSearch = ({ search, signedIn }: Props) => {
  if (!signedIn)
    return (
      <Link to={`/sign-in?${new URLSearchParams({ next: `/routes?${search.query}` })}`} className="link">
        Sign in to save this search
      </Link>
    );
  return search.savedAs === null ? (
    <button type="button" aria-haspopup="dialog" className="link" {...opens}>
      Save this search
    </button>
  ) : (
    <span>
      Saved as{" "}
      <Link to="/routes/saved" className="link">
        {search.savedAs}
      </Link>
    </span>
  );
};

/** Outside of the page's search form, because forms cannot be nested. */
export const SaveSearchDialog = ({ search, back }: { search: SearchToSave; back: string }) => (
  <dialog
    id={dialogId}
    aria-labelledby="save-search-title"
    className="modal m-auto w-[min(28rem,calc(100%-2rem))] rounded-2xl border border-line bg-surface p-0 text-ink shadow-float"
    {...dialog}
  >
    <Form method="post" action="/routes/saved" key={search.query}>
      <input type="hidden" name="query" value={search.query} />
      <input type="hidden" name="back" value={back} />
      <div className="grid gap-4 px-5 pt-5 pb-4">
        <p id="save-search-title" className="font-semibold text-base leading-6">
          Save this search
        </p>
        <SearchNameField id="save-search-name" defaultValue={search.suggestedName} />
      </div>
      <div className="flex flex-wrap justify-end gap-2.5 border-line border-t bg-canvas px-5 py-3">
        <Button type="button" {...closes}>
          Cancel
        </Button>
        <SubmitButton name="intent" value="save" pendingLabel="Saving…">
          Save search
        </SubmitButton>
      </div>
    </Form>
  </dialog>
);

type NameProps = { id: string; defaultValue: string; error?: string | undefined };

export const SearchNameField = (props: NameProps) => (
  <TextField {...props} name="name" label="Name" required maxLength={longestSearchName} autoComplete="off" />
);
