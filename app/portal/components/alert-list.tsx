import { type AlertView, alertText } from "../alert-view.ts";
import { formatInstant } from "../format.ts";
import { Badge, type BadgeTone } from "./badge.tsx";
import { Link } from "./button.tsx";

/** Alerts of the watchlist, newest first. Place it in a `Card flush`. */
export const AlertList = ({ alerts }: { alerts: readonly AlertView[] }) => (
  <ul className="divide-y divide-line">
    {alerts.map((alert) => (
      <AlertItem key={alert.id} alert={alert} />
    ))}
  </ul>
);

const AlertItem = ({ alert }: { alert: AlertView }) => {
  const { title, text } = alertText(alert);
  return (
    <li className="grid gap-x-6 gap-y-1 px-5 py-3.5 text-sm sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link
            to={`/routes/${alert.route.id}`}
            prefetch="intent"
            className="font-semibold hover:text-accent hover:underline"
          >
            {alert.route.name}
          </Link>
          <Badge tone={tones[alert.kind]}>{title}</Badge>
          {alert.isUnread ? (
            <Badge tone="accent" dot>
              New
            </Badge>
          ) : null}
        </p>
        <p className="wrap-anywhere mt-1 text-ink leading-5.5">
          {text ?? <span className="text-muted">Subscribe to the route to see the figures.</span>}
        </p>
      </div>
      <p className="text-muted text-xs leading-5.5 sm:text-right">
        <time dateTime={alert.occurredAt}>{formatInstant(alert.occurredAt)}</time>
        <span className="block font-mono max-sm:hidden">{alert.route.code}</span>
      </p>
    </li>
  );
};

const tones = {
  rate_change: "neutral",
  all_in_below: "success",
  all_in_above: "warning",
  capacity_below: "warning",
  booking_status: "neutral",
  schedule_slip: "warning",
  data_stale: "danger",
} satisfies Record<AlertView["kind"], BadgeTone>;
