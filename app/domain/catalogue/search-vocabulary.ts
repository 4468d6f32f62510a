/**
 * What a search can name: ports with their countries and regions, carriers, and route groups with their lanes. Routes refer
 * to these few thousand records, so a term is compared with the records, not with each route.
 */
import { editDistance, toleratedErrors } from "./edit-distance.ts";
import { keepingLast } from "./keeping-last.ts";
import type { CargoType } from "./route.ts";
import { cargoAliases, countryAliases, portAliases, regionAliases, widerRegions } from "./search-aliases.ts";
import { plain, wordsOf } from "./search-words.ts";

export type RegionEntry = { id: number; code: string; name: string; geography: string; isRetired: boolean };
export type LaneEntry = { id: number; code: string; name: string; regionId: number; isRetired: boolean };
export type GroupEntry = { id: number; code: string; name: string; laneId: number; isRetired: boolean };
export type CarrierEntry = { id: number; code: string; name: string; isRetired: boolean };
export type PortEntry = {
  id: number;
  unlocode: string;
  altUnlocodes: string[];
  name: string;
  countryCode: string;
  country: string;
  lat: number;
  lon: number;
  regionId: number;
  /** From 1 (a hub) to 3 (a feeder port). */
  tier: number;
  isRetired: boolean;
};

/** The records that routes refer to. */
export type Directory = {
  regions: RegionEntry[];
  lanes: LaneEntry[];
  groups: GroupEntry[];
  carriers: CarrierEntry[];
  ports: PortEntry[];
};

/**
 * How well a term matches, best first. The distances between the steps are larger than what the direction of a route and the
 * size of a port add.
 */
const fit = {
  routeCode: 1000,
  code: 400,
  name: 300,
  alias: 280,
  wordOfName: 200,
  /** The port's country or region. */
  area: 160,
  startOfWord: 150,
  startOfCode: 120,
  /** A region in a wider sense; a word of an area's name, of a lane, a route group or the cargo. */
  wordOfArea: 100,
  startOfAlias: 90,
  startOfArea: 70,
  anywhere: 40,
  typingError: 30,
} as const;

/** The least that counts: what names something, such as "la", is not searched for inside of other words. */
export const leastFit = (ofRecords: readonly Uint16Array[]): number =>
  ofRecords.some((fits) => fits.some((points) => points >= fit.area)) ? fit.startOfArea : 1;

/** Points that rank hubs before feeder ports if they match equally. */
const pointsOfTier = (tier: number): number => (3 - tier) * 4;

/** A record as terms are compared with it. Everything is in lower case and without accents. */
type Named = {
  codes: readonly string[];
  names: readonly string[];
  aliases: readonly string[];
  /** The words of the names, each with a space before it, so that " x" finds where words begin; ends with a space. */
  text: string;
};

/** `text` as in `Named`, of `wholes` and more. */
type Area = { wholes: ReadonlySet<string>; text: string };

const spaced = (texts: readonly string[]): string => ` ${texts.flatMap((text) => wordsOf(text)).join(" ")} `;

/** "Yantian (Shenzhen)" is also "Yantian" and "Shenzhen", "New York / New Jersey" also "New York". */
const namesIn = (name: string): string[] => {
  const whole = plain(name);
  const parts = whole.split(/[()/]/).map((part) => wordsOf(part).join(" "));
  return [...new Set([wordsOf(whole).join(" "), ...parts])].filter((part) => part !== "");
};

const namedOf = (codes: readonly string[], name: string, aliases: readonly string[] = []): Named => {
  const names = namesIn(name);
  return { codes: codes.map(plain), names, aliases, text: spaced(names) };
};

/** @param wider names that belong to the area, but not to it alone */
const areaOf = (codes: readonly string[], names: readonly string[], wider: readonly string[] = []): Area => {
  const wholes = new Set([...codes.map(plain), ...names.flatMap(namesIn)]);
  return { wholes, text: spaced([...wholes, ...wider]) };
};

const fitOfNamed = (term: string, { codes, names, aliases, text }: Named): number => {
  if (codes.includes(term)) return fit.code;
  if (names.includes(term)) return fit.name;
  if (aliases.includes(term)) return fit.alias;
  if (text.includes(` ${term} `)) return fit.wordOfName;
  if (text.includes(` ${term}`)) return fit.startOfWord;
  if (term.length > 1 && codes.some((code) => code.startsWith(term))) return fit.startOfCode;
  if (aliases.some((alias) => alias.startsWith(term))) return fit.startOfAlias;
  return [text, ...codes, ...aliases].some((each) => each.includes(term)) ? fit.anywhere : 0;
};

const fitOfArea = (term: string, { wholes, text }: Area): number => {
  if (wholes.has(term)) return fit.area;
  if (text.includes(` ${term} `)) return fit.wordOfArea;
  if (text.includes(` ${term}`)) return fit.startOfArea;
  return text.includes(term) ? fit.anywhere : 0;
};

/** How well each record matches a term, 0 if it does not. By index in the directory's lists. */
export type Fits = { ports: Uint16Array; carriers: Uint16Array; groups: Uint16Array; cargo: Uint16Array };

/** The directory's records as terms are compared with them, by index in its lists. */
const textsOf = ({ regions, lanes, groups, carriers, ports }: Directory, cargoTypes: readonly CargoType[]) => {
  const regionById = new Map(regions.map((region) => [region.id, region]));
  const laneById = new Map(lanes.map((lane) => [lane.id, lane]));

  const portNames = ports.map(({ unlocode, altUnlocodes, name }) => {
    const codes = [unlocode, ...altUnlocodes];
    const aliases = codes.flatMap((code) => portAliases[code] ?? []);
    return namedOf(codes, name, aliases);
  });
  const areas = new Map<string, Area>();
  const portAreas = ports.map(({ countryCode, country, regionId }) => {
    const key = `${countryCode} ${country} ${regionId}`;
    const region = regionById.get(regionId);
    const area =
      areas.get(key) ??
      areaOf(
        [countryCode, region?.code ?? ""],
        [
          country,
          ...(countryAliases[countryCode] ?? []),
          ...(region ? [region.name, ...(regionAliases[region.code] ?? [])] : []),
        ],
        region ? [region.geography.replaceAll("_", " "), ...(widerRegions[region.code] ?? [])] : [],
      );
    areas.set(key, area);
    return area;
  });
  const carrierNames = carriers.map(({ code, name }) => namedOf([code], name));
  const groupCodes = groups.map(({ code, laneId }) => [code, laneById.get(laneId)?.code ?? ""].map(plain));
  const groupAreas = groups.map(({ code, name, laneId }) => {
    const lane = laneById.get(laneId);
    return areaOf([code, lane?.code ?? ""], [name, lane?.name ?? ""]);
  });
  const cargoAreas = cargoTypes.map((type) => areaOf([], [type.replaceAll("_", " "), ...(cargoAliases[type] ?? [])]));

  const codes = new Set([...groupCodes.flat(), ...carriers.map(({ code }) => plain(code))]);
  const phrases = new Set(
    [
      ...[...portNames, ...carrierNames].flatMap(({ names, aliases }) => [...names, ...aliases]),
      ...Object.values(widerRegions).flat(),
      ...[...areas.values(), ...cargoAreas].flatMap(({ wholes }) => [...wholes]),
    ].filter((text) => text.includes(" ")),
  );
  const words = new Set([
    ...[...portNames, ...carrierNames].flatMap(({ text, aliases }) => [...wordsOf(text), ...aliases.flatMap(wordsOf)]),
    ...[...areas.values(), ...cargoAreas].flatMap(({ text }) => wordsOf(text)),
  ]);
  return { portNames, portAreas, carrierNames, groupCodes, groupAreas, cargoAreas, codes, phrases, words };
};

export type Vocabulary = ReturnType<typeof vocabularyOf>;

/** Customers search for the same ports again and again. */
const mostTerms = 500;

export const vocabularyOf = (directory: Directory, cargoTypes: readonly CargoType[]) => {
  const { ports, carriers, groups } = directory;
  const { portNames, portAreas, carrierNames, groupCodes, groupAreas, cargoAreas, ...known } = textsOf(
    directory,
    cargoTypes,
  );

  const fitsOf = (term: string): Fits => {
    const fitOfPort = (index: number): number => {
      const named = fitOfNamed(term, portNames[index] as Named);
      const best = Math.max(named, fitOfArea(term, portAreas[index] as Area));
      return best === 0 ? 0 : best + pointsOfTier(ports[index]?.tier ?? 3);
    };
    return {
      ports: Uint16Array.from(ports, (_, index) => fitOfPort(index)),
      carriers: Uint16Array.from(carrierNames, (named) => fitOfNamed(term, named)),
      groups: Uint16Array.from(groupAreas, (area, index) =>
        groupCodes[index]?.includes(term) ? fit.code : Math.min(fitOfArea(term, area), fit.wordOfArea),
      ),
      cargo: Uint16Array.from(cargoAreas, (area) => Math.min(fitOfArea(term, area), fit.wordOfArea)),
    };
  };

  /** The words of the vocabulary that differ least from a word that is in none of them, or begin with what differs least. */
  const corrections = (term: string): string[] => {
    let most = toleratedErrors(term);
    let nearest: string[] = [];
    for (const word of most === 0 ? [] : known.words) {
      const distance = Math.min(
        editDistance(term, word, most),
        ...beginningsOf(word, term.length).map((beginning) => editDistance(term, beginning, most)),
      );
      if (distance > most) continue;
      if (distance < most) nearest = [];
      most = distance;
      nearest.push(word);
    }
    return nearest;
  };

  /** As `fitsOf`, for a word with typing errors. */
  const fitsOfMisspelt = (term: string): Fits => {
    const corrected = corrections(term).map(fitsOf);
    const least = (kind: keyof Fits, length: number) =>
      Uint16Array.from({ length }, (_, index) => {
        const best = Math.max(0, ...corrected.map((fits) => fits[kind][index] ?? 0));
        // Only whole words are corrected: their beginnings and parts would match anything.
        return best < fit.wordOfArea ? 0 : fit.typingError + Math.trunc(best / 50);
      });
    return {
      ports: least("ports", ports.length),
      carriers: least("carriers", carriers.length),
      groups: least("groups", groups.length),
      cargo: least("cargo", cargoTypes.length),
    };
  };

  /** The word that a misspelt term most likely means. Null: none was found. */
  const correctionOf = (term: string): string | null => {
    const bestOf = (word: string) => Math.max(...Object.values(fitsOf(word)).flatMap((fits) => [...fits]));
    const [best] = corrections(term)
      .map((word) => ({ word, points: bestOf(word) }))
      .sort((a, b) => b.points - a.points);
    return best && best.points >= fit.wordOfArea ? best.word : null;
  };

  return {
    isCode: (text: string) => known.codes.has(text),
    isPhrase: (text: string) => known.phrases.has(text),
    fitsOf: keepingLast(mostTerms, fitsOf),
    fitsOfMisspelt: keepingLast(mostTerms, fitsOfMisspelt),
    correctionOf,
  };
};

/** The beginnings of a longer word that somebody who is still typing it may mean. */
const beginningsOf = (word: string, typed: number): string[] =>
  typed < leastTyped
    ? []
    : [typed, typed + 1].filter((length) => length < word.length).map((length) => word.slice(0, length));

/** Shorter beginnings with an error match too many words. */
const leastTyped = 5;

export const fitOfRouteCode = fit.routeCode;

/**
 * How well a text of a single route matches: its own name, or a part of its code that names nothing else. Labels have a space
 * before and behind each word.
 */
export const fitOfLabel = (term: string, label: string): number =>
  label.includes(` ${term} `)
    ? fit.wordOfArea
    : label.includes(` ${term}`)
      ? fit.startOfArea
      : label.includes(term)
        ? fit.anywhere
        : 0;
