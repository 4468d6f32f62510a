import { Form, useSearchParams } from "@remix-run/react";
import { Alert } from "#app/portal/components/alert.tsx";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { formatDay } from "#app/portal/format.ts";

/** Says that the page does not show the present. */
export const KnownOnBanner = ({ routeId, knownOn }: { routeId: number; knownOn: string }) => (
  <Alert
    title={`Data as known on ${formatDay(knownOn)}`}
    action={
      <ButtonLink to={`/routes/${routeId}`} size="small">
        Show current data
      </ButtonLink>
    }
  >
    Reports, corrections and changes after the end of that day (UTC) are left out. Linked pages show current data.
  </Alert>
);

type Props = {
  /** The days that can be chosen. */
  first: string;
  last: string;
  /** Null: the present is shown. */
  knownOn: string | null;
  problem: string | null;
};

/** Shows the data as it was known on an earlier day. */
export const KnownOnForm = ({ first, last, knownOn, problem }: Props) => {
  const [search] = useSearchParams();
  const equipment = search.get("equipment");
  return (
    <Form preventScrollReset className="no-print flex flex-wrap items-center gap-2 text-muted text-sm sm:justify-end">
      {equipment ? <input type="hidden" name="equipment" value={equipment} /> : null}
      <label htmlFor="as_of">Data as known on</label>
      <input
        // A new address brings a new value.
        key={knownOn}
        type="date"
        id="as_of"
        name="as_of"
        required
        min={first}
        max={last}
        defaultValue={knownOn ?? ""}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? "as_of-error" : undefined}
        className="control w-36 text-sm"
      />
      <Button size="small">Show</Button>
      {problem ? (
        <span id="as_of-error" className="w-full text-danger sm:text-end">
          {problem}. Current data is shown.
        </span>
      ) : null}
    </Form>
  );
};
