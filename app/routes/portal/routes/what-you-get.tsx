import { Card } from "#app/portal/components/card.tsx";
import { Icon, type IconName } from "#app/portal/components/icon.tsx";

/** What a subscription gives access to, in place of the data. */
export const WhatYouGet = ({ lapsed, suspended }: { lapsed: boolean; suspended: boolean }) => (
  <Card
    title={
      <span className="flex items-center gap-2">
        <Icon name="lock" className="size-4.5 text-muted" />
        {suspended ? "Your account is suspended" : lapsed ? "Your subscription has ended" : "What you get"}
      </span>
    }
    description={
      suspended
        ? "You cannot read route data until it is restored. See your account activity for the reason."
        : lapsed
          ? "Renew below to see the data again at once. Files you downloaded stay yours."
          : "With a subscription, here and by API:"
    }
    flush
  >
    <ul className="grid gap-px bg-line sm:grid-cols-2 lg:grid-cols-3">
      {lockedSections.map(({ icon, title, fields }) => (
        <li key={title} className="bg-surface px-5 py-4 forced-colors:outline">
          <span className="flex items-center gap-2.5 font-medium text-ink text-sm">
            <Icon name={icon} className="size-5 text-accent" />
            {title}
          </span>
          <span className="mt-2 flex flex-wrap gap-1.5">
            {fields.map((field) => (
              <span
                key={field}
                className="rounded-md border border-line-strong border-dashed px-1.5 text-muted text-xs leading-5.5"
              >
                {field}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  </Card>
);

/** The sections of the page and their columns. */
const lockedSections: { icon: IconName; title: string; fields: string[] }[] = [
  {
    icon: "route",
    title: "Routing and waypoints",
    fields: ["Waypoints", "Canals and straits", "Passage times", "GeoJSON"],
  },
  {
    icon: "calendar",
    title: "Sailing schedule",
    fields: ["Vessel", "Voyage", "ETD", "ETA", "Terminals", "Transhipment ports", "Cut-offs"],
  },
  { icon: "card", title: "Rates and surcharges", fields: ["Base rates", "BAF", "THC", "All-in rate", "Validity"] },
  {
    icon: "container",
    title: "Capacity",
    fields: ["Space available per sailing", "Nominal capacity", "Booking status"],
  },
  { icon: "chart", title: "13 months of history", fields: ["Rates", "Space available", "On-time performance"] },
  {
    icon: "download",
    title: "Reports to download",
    fields: ["Excel", "CSV", "Parquet", "JSON", "API with your own keys"],
  },
];
