/** The formats in which reports can be read, and how a client asks for one. */

export const reportFormats = ["json", "jsonl", "csv", "parquet"] as const;
export type ReportFormat = (typeof reportFormats)[number];
export type ReportFileFormat = Exclude<ReportFormat, "json">;

export const mediaTypes = {
  json: "application/json",
  jsonl: "application/x-ndjson",
  csv: "text/csv",
  parquet: "application/vnd.apache.parquet",
} as const satisfies Record<ReportFormat, string>;

export const reportFileTypes = {
  [mediaTypes.jsonl]: { description: "JSON Lines: one report per line." },
  [mediaTypes.csv]: { description: "RFC 4180, with a header line." },
  [mediaTypes.parquet]: { description: "Apache Parquet, compressed with Snappy." },
};

/** Other names that clients use. */
const formatByType: Record<string, ReportFormat> = {
  ...Object.fromEntries(reportFormats.map((format) => [mediaTypes[format], format])),
  "application/jsonl": "jsonl",
  "application/x-jsonlines": "jsonl",
  "application/ndjson": "jsonl",
};

/** The format that an Accept header prefers; JSON if it names none of them. */
export const acceptedFormat = (accept: string | null): ReportFormat => {
  const wanted = (accept ?? "").split(",").flatMap((entry) => {
    const [type = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const format = formatByType[type];
    const quality = Number(parameters.find((each) => each.startsWith("q="))?.slice(2) ?? 1);
    return format && quality > 0 ? [{ format, quality }] : [];
  });
  return wanted.toSorted((a, b) => b.quality - a.quality)[0]?.format ?? "json";
};
