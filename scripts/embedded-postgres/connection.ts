/** The server as a client sees it. */
import fs from "node:fs";
import postgres from "postgres";
import { codeOf, PostgresTrouble } from "./trouble.ts";

export type ServerAddress = { port: number; password: string };

export const superuser = "service";
export const passwordFile = "service-password";

export const urlOf = ({ port, password }: ServerAddress, database: string): string =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;

/** Whether the server of this data folder answers. @throws PostgresTrouble if it does not accept the password */
export const answers = async (server: ServerAddress, dataDir: string): Promise<boolean> => {
  const sql = postgres(urlOf(server, "postgres"), { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const [row] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`;
    return row !== undefined && fs.realpathSync(row.folder) === fs.realpathSync(dataDir);
  } catch (error) {
    // 28P01 (invalid_password): a server, but not ours. Anything else: it is not ready yet.
    if (codeOf(error) === "28P01")
      throw new PostgresTrouble(`The password in ${dataDir}/${passwordFile} is not accepted.`);
    return false;
  } finally {
    await sql.end({ timeout: 1 }).catch(() => {});
  }
};
