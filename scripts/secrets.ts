/**
 * `npm run secrets -- rotate`: encrypts every secret in the database again, by SECRETS_KEY, so that the keys of
 * SECRETS_KEY_PREVIOUS are not needed any more. Works while the service runs, and can be repeated.
 */
import { rotateSecrets, type SecretsTally } from "../app/domain/operations/rotate-secrets.server.ts";
import { sealerOf } from "../app/platform/sealer.server.ts";
import { log, onServiceDatabase } from "./service-database.ts";

const usage = `npm run secrets -- status    counts the secrets that are not encrypted by SECRETS_KEY
npm run secrets -- rotate    encrypts them again, by SECRETS_KEY`;

const print = (tallies: SecretsTally[], verb: string): number => {
  for (const { name, count } of tallies) log(`${name.padEnd(26)} ${String(count).padStart(8)} ${verb}`);
  const unreadable = tallies.reduce((sum, tally) => sum + tally.unreadable, 0);
  if (unreadable === 0) return 0;
  log(`${unreadable} unreadable: add the key that encrypted them to SECRETS_KEY_PREVIOUS, and run this again.`);
  return 1;
};

const [command, ...more] = process.argv.slice(2);
if ((command === "rotate" || command === "status") && more.length === 0) {
  await onServiceDatabase(async ({ db, config }) => {
    const { secretsKey, previousSecretsKeys } = config;
    if (secretsKey === null) {
      process.stderr.write("Set SECRETS_KEY. A key that the service has generated is in DATA_DIR/secrets-key.\n");
      return 2;
    }
    const sealer = sealerOf(secretsKey, previousSecretsKeys);
    const onlyCount = command === "status";
    return print(await rotateSecrets({ db, sealer }, { onlyCount }), onlyCount ? "left" : "encrypted again");
  });
} else {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
}
