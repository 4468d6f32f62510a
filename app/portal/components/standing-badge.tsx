import type { Standing } from "../../domain/accounts/caller.ts";
import { Badge } from "./badge.tsx";

/** How an account stands with us; a closed one stands no more. */
export const StandingBadge = ({ standing, isClosed = false }: { standing: Standing; isClosed?: boolean }) =>
  isClosed ? (
    <Badge>Closed</Badge>
  ) : standing === "good" ? (
    <Badge tone="success" dot>
      Good
    </Badge>
  ) : (
    <Badge tone="danger" dot>
      Suspended
    </Badge>
  );
