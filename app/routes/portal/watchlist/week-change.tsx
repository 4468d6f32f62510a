import { formatShare } from "#app/portal/format.ts";

/** Falling rates are good for those who ship, and bad for those who carry, so neither has a colour. */
export const WeekChange = ({ percent }: { percent: number | null }) =>
  percent === null ? (
    <span className="text-muted">–</span>
  ) : (
    <span className="whitespace-nowrap">
      <span aria-hidden="true">{percent > 0 ? "▲ " : percent < 0 ? "▼ " : ""}</span>
      <span className="sr-only">{percent > 0 ? "up " : percent < 0 ? "down " : "unchanged "}</span>
      {formatShare(Math.abs(percent) / 100)}
    </span>
  );
