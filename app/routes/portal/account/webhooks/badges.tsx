import type { DeliveryStatus, DisableReason } from "#app/domain/webhooks/outcome.ts";
import { Badge, type BadgeTone } from "#app/portal/components/badge.tsx";

type EndpointState = { disabledBecause: DisableReason | null; failingSince: string | null };

export const EndpointBadge = ({ disabledBecause, failingSince }: EndpointState) => {
  if (disabledBecause) {
    return (
      <Badge tone={disabledBecause === "holder" ? "neutral" : "danger"} dot>
        Disabled
      </Badge>
    );
  }
  return (
    <Badge tone={failingSince ? "warning" : "success"} dot>
      {failingSince ? "Failing" : "Enabled"}
    </Badge>
  );
};

const statuses = {
  pending: { label: "Pending", tone: "warning" },
  delivered: { label: "Delivered", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
} satisfies Record<DeliveryStatus, { label: string; tone: BadgeTone }>;

export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => (
  <Badge tone={statuses[status].tone} dot>
    {statuses[status].label}
  </Badge>
);
