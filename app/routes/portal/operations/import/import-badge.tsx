import { Badge, type BadgeTone } from "#app/portal/components/badge.tsx";

type Item = {
  status: "checked" | "refused" | "applied" | "discarded";
  work: { task: "checking" | "applying" } | null;
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

const wordsOf = ({ status, work, interrupted }: Item): readonly [string, BadgeTone] => {
  if (work) return [work.task === "checking" ? "Checking" : "Applying", "accent"];
  return interrupted ? ["Interrupted", "warning"] : words[status];
};

const words = {
  checked: ["Ready to apply", "accent"],
  refused: ["Has errors", "danger"],
  applied: ["Applied", "success"],
  discarded: ["Discarded", "neutral"],
} as const satisfies Record<Item["status"], readonly [string, BadgeTone]>;
