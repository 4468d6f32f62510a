/** What a rate is reported for: an equipment type at a service level. */
import { usualEquipmentType } from "./equipment.ts";
import type { ServiceLevelName } from "./route.ts";

export type RateKind = {
  serviceLevel: ServiceLevelName;
  /** Empty for cargo other than containers. */
  equipmentType: string;
};

/**
 * The kind that comes closest to a choice: its equipment type, or else the usual one; then its service level, or else
 * standard. Null: there are no rates.
 */
export const closestRateKind = (
  kinds: readonly RateKind[],
  choice: { equipmentType?: string | undefined; serviceLevel?: string | undefined },
): RateKind | null => {
  const equipmentType = [choice.equipmentType, usualEquipmentType, kinds[0]?.equipmentType].find((code) =>
    kinds.some((kind) => kind.equipmentType === code),
  );
  const ofType = kinds.filter((kind) => kind.equipmentType === equipmentType);
  const withLevel = (level: string | undefined) => ofType.find(({ serviceLevel }) => serviceLevel === level);
  return withLevel(choice.serviceLevel) ?? withLevel("standard") ?? ofType[0] ?? null;
};
