export class PostgresTrouble extends Error {}

export type EmbeddedPostgres = {
  url(database?: string): string;
  pid(): number;
  dataDir: string;
  found: boolean;
  stop(): Promise<void>;
};

export function startPostgres(options: {
  dataDir: string;
  durable?: boolean;
  report?: (line: string) => void;
}): Promise<EmbeddedPostgres>;

export function ensureDatabase(server: EmbeddedPostgres, name: string): Promise<void>;
