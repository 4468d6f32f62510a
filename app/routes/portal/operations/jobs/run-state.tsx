import { Badge } from "#app/portal/components/badge.tsx";
import { outcomeInWords } from "./words.ts";

type Run = {
  endedAt: string | null;
  outcome: Record<string, number> | null;
  interrupted: boolean;
  error: string | null;
};

/** How a run ended, and its figures. */
export const RunState = ({ run }: { run: Run }) => {
  if (run.error !== null) {
    return (
      <span className="inline-flex flex-wrap items-center gap-2">
        <Badge tone="danger" dot>
          Failed
        </Badge>
        <span className="break-words text-muted">{run.error}</span>
      </span>
    );
  }
  if (run.endedAt === null) {
    return (
      <span className="inline-flex flex-wrap items-center gap-2">
        <Badge tone="accent" dot>
          Under way
        </Badge>
      </span>
    );
  }
  if (run.interrupted) {
    return (
      <span className="inline-flex flex-wrap items-center gap-2">
        <Badge tone="warning" dot>
          Interrupted
        </Badge>
        <span className="text-muted">
          {run.outcome ? `${outcomeInWords(run.outcome)}; the` : "The"} next run continues
        </span>
      </span>
    );
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge tone="success" dot>
        Done
      </Badge>
      <span className="text-muted">{outcomeInWords(run.outcome)}</span>
    </span>
  );
};
