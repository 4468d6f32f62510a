/** Terminals at which the demo's vessels call. */
import type { CargoType } from "../../catalogue/route.ts";
import { hashOf } from "../../catalogue/text-hash.ts";

export type Terminal = { name: string; code: string | null };

/** A carrier uses the same terminal of a port for all its vessels of a type. */
export const terminalOf = (unlocode: string, cargoType: CargoType, carrierCode: string): Terminal => {
  const known = cargoType === "container" ? (containerTerminals[unlocode] ?? []) : [];
  const [code, name] = known[(hashOf(`${carrierCode} ${unlocode}`) >>> 0) % (known.length || 1)] ?? [];
  return code && name ? { code, name } : { code: null, name: genericNames[cargoType] };
};

const genericNames = {
  container: "Container terminal",
  bulk: "Dry bulk terminal",
  ro_ro: "Ro-Ro terminal",
  break_bulk: "General cargo terminal",
} as const satisfies Record<CargoType, string>;

/** Of large ports, by UN/LOCODE: SMDG codes and names, from SMDG's terminal code list. */
const containerTerminals: Readonly<Record<string, readonly (readonly [code: string, name: string])[]>> = {
  CNLYG: [["LNOCT", "Lianyungang New Oriental International Container Terminal"]],
  CNNGB: [
    ["BLCT2", "Ningbo Beilun Second Container Terminal"],
    ["BLTCT", "Ningbo Beilun Third Container Terminal"],
    ["BLCT6", "Ningbo Meishan Island International Container Terminal"],
  ],
  CNNSA: [
    ["NANS", "Guangzhou South China Oceangate Container Terminal"],
    ["NICT", "Nansha International Container Terminal (Phase III)"],
  ],
  CNSHA: [
    ["SHENG", "Shanghai Shengdong International Container Terminal"],
    ["SGICT", "Shanghai Guandong International Container Terminal"],
    ["SMCT", "Shanghai Mingdong Container Terminal"],
    ["SPICT", "Shanghai Pudong International Container Terminal"],
  ],
  CNSHK: [
    ["SCT", "Shekou Container Terminal"],
    ["CCT", "Chiwan Container Terminal"],
  ],
  CNTAO: [
    ["QQCTX", "Qingdao Qianwan Container Terminal"],
    ["QQCTU", "Qingdao Qianwan United Container Terminal"],
  ],
  CNTXG: [
    ["TACT1", "Tianjin Port Alliance International Container Terminal"],
    ["TPCT1", "Tianjin Port Pacific International Container Terminal"],
  ],
  CNXMN: [
    ["XOGT", "Xiamen Ocean Gate Terminal"],
    ["XICT", "Xiamen International Container Terminal"],
  ],
  DEBRV: [
    ["NTB", "North Sea Terminal Bremerhaven"],
    ["EGB", "Eurogate Container Terminal Bremerhaven"],
  ],
  DEHAM: [
    ["CTA", "Container Terminal Altenwerder"],
    ["CTB", "Container Terminal Burchardkai"],
    ["EGH", "Eurogate Container Terminal Hamburg"],
  ],
  DEWVN: [["EGW", "Eurogate Container Terminal Wilhelmshaven"]],
  EGPSE: [["SCCT", "Suez Canal Container Terminal"]],
  ESALG: [["TTI", "Total Terminal International Algeciras"]],
  ESBCN: [["BEST", "Barcelona Europe South Terminal"]],
  FRLEH: [
    ["TDF", "Terminal de France, Quai du Havre"],
    ["TPO", "Terminal Porte Océane"],
  ],
  JPTYO: [
    ["AOO", "Aomi Container Terminal Berth No. 0/1/2"],
    ["OHN", "Ohi Container Terminal Berth No. 6/7"],
  ],
  JPUKB: [
    ["PC16", "Port Island PC-16/17"],
    ["RC6", "Rokko Island RC-6/7"],
  ],
  JPYOK: [
    ["HBC", "Honmoku Container Terminal BC"],
    ["DC3", "Daikoku Container Terminal C-3"],
  ],
  KRINC: [["SNCTC", "Sunkwang Newport Container Terminal"]],
  KRKAN: [
    ["GWCT", "Gwangyang West Container Terminal"],
    ["KIT", "Korea International Container Terminal"],
  ],
  KRPUS: [
    ["PNC", "Pusan New Port Co."],
    ["BNCT", "Busan New Container Terminal"],
    ["KBCT", "Busan Port Terminal"],
  ],
  MTMAR: [["FREE", "Malta Freeport Terminals"]],
  MYPEN: [["PENP", "Penang Port"]],
  MYPKG: [
    ["NPM", "Northport Malaysia"],
    ["KMT", "Westport Kelang Multi Terminal"],
  ],
  MYTPP: [["PTP", "Port of Tanjung Pelepas"]],
  NLRTM: [
    ["RWG", "Rotterdam World Gateway"],
    ["EMX", "ECT Euromax Terminal"],
    ["DDE", "ECT Delta Dedicated East"],
  ],
  RULED: [["FCT", "First Container Terminal"]],
  RUVVO: [["VCT", "Vladivostok Container Terminal"]],
  SADMM: [["FCT", "Dammam First Container Terminal"]],
  SAJED: [["RSGT", "Red Sea Gateway Terminal"]],
  SGSIN: [
    ["PSAPP1", "Pasir Panjang Terminal 1"],
    ["PSAPP3", "Pasir Panjang Terminal 3"],
    ["PSAPP5", "Pasir Panjang Terminal 5"],
  ],
  USLAX: [
    ["WBCT", "West Basin Container Terminal"],
    ["TRAP", "TraPac Container Terminal"],
  ],
  USLGB: [
    ["LBCT", "Long Beach Container Terminal (Pier E)"],
    ["TTI", "Total Terminals International (Pier T)"],
  ],
  USNYC: [
    ["MAHER", "Maher Container Terminal"],
    ["PNCT", "Port Newark Container Terminal"],
  ],
  USORF: [["NIT", "Norfolk International Terminals"]],
  USPHL: [["PAMT", "Packer Avenue Marine Terminal"]],
  USSAV: [["GCMT", "Garden City Marine Terminal"]],
  USSEA: [["SSA18", "SSA Terminal T18"]],
};
