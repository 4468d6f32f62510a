import type { CatalogueImport } from "#app/domain/imports/imports.server.ts";
import { Badge, type BadgeTone } from "#app/portal/components/badge.tsx";

type Item = {
  status: CatalogueImport["status"];
  interrupted: boolean;
};

/** The status of an import. */
export const ImportBadge = ({ item }: { item: Item }) => {
  const [label, tone] = wordsOf(item);
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
};

const wordsOf = ({ status, interrupted }: Item): readonly [string, BadgeTone] => {
  return interrupted ? ["Interrupted", "warning"] : words[status];
};

const words = {
  checking: ["Checking", "accent"],
  checked: ["Ready to apply", "accent"],
  refused: ["Has errors", "danger"],
  applying: ["Applying", "accent"],
  applied: ["Applied", "success"],
  discarded: ["Discarded", "neutral"],
} as const satisfies Record<Item["status"], readonly [string, BadgeTone]>;
