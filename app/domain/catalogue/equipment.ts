/** Container types, by their ISO 6346 size and type codes. Cargo other than containers has none: an empty string. */

/** Length, height and width, type group, subtype. */
export const equipmentCode = /^[1-4A-HK-P][0245689C-FL-P][A-HKNP-V][0-9]$/;

/** The 40′ high cube, in which market rates are usually quoted. */
export const usualEquipmentType = "45G1";

/** `22G1` as "20′ dry (22G1)", and codes of rare types as they are. */
export const equipmentName = (code: string): string => {
  const [length = "", height = "", group = ""] = code;
  const size = lengths[length];
  const type = group === "G" && (height === "5" || height === "E") ? "high cube" : groups[group];
  return size && type ? `${size} ${type} (${code})` : code;
};

/** How many TEU a container counts. */
export const teuOf = (code: string): number => (code.startsWith("2") ? 1 : 2);

const lengths: Readonly<Record<string, string>> = { 2: "20′", 4: "40′", L: "45′" };

const groups: Readonly<Record<string, string>> = {
  G: "dry",
  R: "reefer",
  U: "open top",
  P: "flat rack",
  T: "tank",
  V: "ventilated",
};
