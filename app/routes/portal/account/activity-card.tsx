import { Card } from "../../../portal/components/card.tsx";
import { formatInstant } from "../../../portal/format.ts";

export type ActivityRow = { id: number; words: string; actor: string; occurredAt: string };

const shownAtOnce = 8;

/** What was done to the account, newest first. */
export const ActivityCard = ({ acts, limit }: { acts: readonly ActivityRow[]; limit: number }) => (
  <Card title="Activity" description={`What was changed in this account, newest first; the last ${limit} at most.`}>
    <Acts acts={acts.slice(0, shownAtOnce)} />
    {acts.length > shownAtOnce ? (
      <details className="group border-line border-t pt-3">
        <summary className="inline-flex min-h-6 items-center rounded font-medium text-[0.8125rem] text-muted hover:text-ink">
          <span className="group-open:hidden">Show {acts.length - shownAtOnce} more</span>
          <span className="hidden group-open:inline">Show fewer</span>
        </summary>
        <div className="mt-3">
          <Acts acts={acts.slice(shownAtOnce)} />
        </div>
      </details>
    ) : null}
  </Card>
);

const Acts = ({ acts }: { acts: readonly ActivityRow[] }) => (
  <ol className="divide-y divide-line text-sm">
    {acts.map((act) => (
      <li key={act.id} className="grid gap-x-6 py-2.5 first:pt-0 sm:flex sm:items-baseline sm:justify-between">
        <span className="min-w-0">
          <span className="font-medium text-ink">{act.words}</span>
          <span className="text-muted"> by {act.actor}</span>
        </span>
        <time dateTime={act.occurredAt} className="shrink-0 text-[0.8125rem] text-muted">
          {formatInstant(act.occurredAt)}
        </time>
      </li>
    ))}
  </ol>
);
