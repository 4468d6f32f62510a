import { formatShortDay, formatTime } from "../format.ts";
import type { CallTime as Call } from "../report-view.ts";

/** The time of a departure or arrival in the port's local time, and in UTC where there is room for it. */
export const CallTime = ({ at }: { at: Call | null }) =>
  at === null ? (
    <>–</>
  ) : (
    <time dateTime={`${at.local}${at.offset}`} className="inline-grid justify-items-end whitespace-nowrap">
      <span>
        {formatShortDay(`${at.local}Z`)}
        <span className="max-sm:hidden">
          , {formatTime(`${at.local}Z`)} <span className="text-faint text-xs">{at.offset}</span>
        </span>
      </span>
      <span className="text-muted text-xs sm:hidden">{formatTime(`${at.local}Z`)}</span>
      <span className="text-muted text-xs max-sm:hidden">
        {formatShortDay(at.utc)}, {formatTime(at.utc)} UTC
      </span>
    </time>
  );
