import type { Standing } from "../../domain/accounts/caller.ts";
import { Badge } from "./badge.tsx";

/** An account's standing, or "Closed". */
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
