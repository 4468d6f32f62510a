export const fileFormats = ["xlsx", "csv", "jsonl", "parquet"] as const;
export const rateFormats = ["xlsx", "csv"] as const;
