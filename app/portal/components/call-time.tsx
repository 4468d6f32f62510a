import { formatOffset, formatPortTime, formatShortDay, formatTime } from "../format.ts";
import type { CallTime as Call } from "../report-view.ts";

/** A departure or arrival in the port's local time, with its offset. Below it, where there is room, in UTC. */
export const CallTime = ({ at }: { at: Call | null }) =>
  at === null ? (
    <>–</>
  ) : (
    <span className="inline-grid justify-items-end whitespace-nowrap">
      <PortTime at={at} />
      <span className="text-muted text-xs max-sm:hidden">
        {formatShortDay(at.utc)}, {formatTime(at.utc)} UTC
      </span>
    </span>
  );

/** `4 Dec, 06:00 (UTC+8)`. On a phone the offset goes below. */
export const PortTime = ({ at }: { at: Call }) => (
  <time dateTime={`${at.local}${at.offset}`}>
    {formatPortTime(at.local)} <span className="text-muted text-xs max-sm:block">({formatOffset(at.offset)})</span>
  </time>
);
