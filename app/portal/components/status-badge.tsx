import { Badge, type BadgeTone } from "./badge.tsx";

const states = {
  // Subscriptions
  active: ["Active", "success"],
  expiring_soon: ["Expiring soon", "warning"],
  expired: ["Expired", "neutral"],
  cancelled: ["Cancelled", "danger"],
  // API keys
  inactive: ["Inactive", "neutral"],
  // Bookings
  open: ["Open", "success"],
  limited: ["Limited", "warning"],
  full: ["Full", "danger"],
  closed: ["Closed", "neutral"],
  // Orders and payments
  pending: ["Pending", "warning"],
  paid: ["Paid", "success"],
  refunded: ["Refunded", "neutral"],
  declined: ["Declined", "danger"],
} as const satisfies Record<string, readonly [label: string, tone: BadgeTone]>;

export type Status = keyof typeof states;

/** Shows a status of the API as text and colour. */
export const StatusBadge = ({ status }: { status: Status }) => {
  const [label, tone] = states[status];
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
};
