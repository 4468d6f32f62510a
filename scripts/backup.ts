/**
 * `npm run backup -- FILE`: writes the service's database into a file, whether the service runs or not. `--verify FILE`
 * checks one. Works on the database of DATABASE_URL, or the embedded one of DATA_DIR.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../app/domain/clock.ts";
import { counted } from "../app/domain/wording.ts";
import packageJson from "../package.json" with { type: "json" };
import { backUp } from "./backup/back-up.ts";
import { BackupTrouble } from "./backup/format.ts";
import { keptKey, keyFile, keyIdOf } from "./backup/secrets-key.ts";
import { verifyBackup } from "./backup/verify.ts";
import { printReconciliation } from "./print-reconciliation.ts";
import { log, onDatabaseUrl, withSettings } from "./service-database.ts";

const usage = `npm run backup -- FILE                      writes a backup
npm run backup -- FILE --with-secrets-key   with the key of DATA_DIR, without which encrypted secrets are lost
npm run backup -- --verify FILE             restores it into a scratch database, compares every row and checks the books`;

type Args = { file: string; verify: boolean; withKey: boolean };

const parsedArgs = (): Args | null => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { verify: { type: "boolean", default: false }, "with-secrets-key": { type: "boolean", default: false } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0 || (values.verify && values["with-secrets-key"])) return null;
    return {
      file: path.resolve(process.env.INIT_CWD ?? ".", file),
      verify: values.verify,
      withKey: values["with-secrets-key"],
    };
  } catch {
    return null;
  }
};

const progress = (table: string, rows: number) => {
  if (rows > 0) log(`  ${table.padEnd(44)} ${rows.toLocaleString("en-US").padStart(12)}`);
};

const write = async ({ file, withKey }: Args): Promise<void> =>
  onDatabaseUrl(async ({ url, config, dataDir }) => {
    const kept = config.secretsKey ? null : keptKey(dataDir);
    if (withKey && kept === null) {
      throw new BackupTrouble(
        config.secretsKey
          ? "SECRETS_KEY is set, so you keep the key yourself: leave out --with-secrets-key."
          : `There is no key in ${keyFile(dataDir)}: leave out --with-secrets-key.`,
      );
    }
    const secretsKeyId = keyIdOf(config, dataDir);
    const { tables, rows, fileBytes } = await backUp(url, file, {
      release: packageJson.version,
      now: systemClock.now(),
      secretsKeyId,
      ...(withKey && kept !== null ? { secretsKey: kept } : {}),
      progress,
    });
    log(`${file}: ${counted(tables, "table")}, ${counted(rows, "row")}, ${(fileBytes / 1e6).toFixed(1)} MB.`);
    log(
      withKey
        ? "It contains the key to the secrets in it: store it as you store passwords."
        : `It does not contain the key to its secrets: store ${kept === null ? "SECRETS_KEY" : keyFile(dataDir)} separately.`,
    );
    if (secretsKeyId === null) log("SECRETS_KEY is not set for this command, so that a restore cannot check the key.");
    log(`Check it: npm run backup -- --verify ${file}`);
    return 0;
  });

const verify = ({ file }: Args): Promise<void> =>
  withSettings(async ({ config, dataDir }) => {
    const { rows, reconciliation } = await verifyBackup(file, { folder: dataDir, testMode: config.testMode, progress });
    log(`${file}: ${counted(rows, "row")} restored and compared.`);
    return printReconciliation(reconciliation);
  });

const args = parsedArgs();
if (args) await (args.verify ? verify(args) : write(args));
else {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
}
