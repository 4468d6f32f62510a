/**
 * `npm run operator -- someone@example.com`: makes an account an operator; `--revoke` undoes it.
 * Works on the database of DATABASE_URL, or the embedded one of DATA_DIR, whether the service runs or not.
 */
import { parseArgs } from "node:util";
import type { Context } from "../app/domain/context.ts";
import { Refusal, type RefusalCode } from "../app/domain/errors.ts";
import { grantOperator, revokeOperator } from "../app/domain/operations/operators.server.ts";
import { jsonLog } from "../app/platform/log.server.ts";
import { reportSecurityEvents } from "../app/platform/security-events.ts";
import { log, onServiceDatabase } from "./service-database.ts";

const usage = `npm run operator -- someone@example.com             makes the account an operator
npm run operator -- --revoke someone@example.com    makes it an ordinary account again; --force for the last operator`;

type Args = { email: string; revoke: boolean; force: boolean };

const parsedArgs = (): Args | null => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { revoke: { type: "boolean", default: false }, force: { type: "boolean", default: false } },
    });
    const [email, ...more] = positionals;
    return email === undefined || more.length > 0 ? null : { email, ...values };
  } catch {
    return null;
  }
};

const change = async (ctx: Pick<Context, "db" | "clock">, { email, revoke, force }: Args): Promise<string> => {
  if (revoke) {
    return (await revokeOperator(ctx, { email, force }))
      ? `${email} is no operator any more.`
      : `${email} is no operator; nothing was changed.`;
  }
  return (await grantOperator(ctx, { email }))
    ? `${email} is an operator: the console is at /operations, after signing in. Outside test mode it asks for two-factor sign-in to be set up first.`
    : `${email} is an operator already; nothing was changed.`;
};

const inWords = ({ email }: Args): Partial<Record<RefusalCode, string>> => ({
  not_found: `There is no account with the address ${email}. Register it in the portal first.`,
  conflict: `${email} is the last operator. Make another one first, or add --force.`,
});

const input = parsedArgs();
if (input) {
  reportSecurityEvents(jsonLog());
  await onServiceDatabase(async (service) => {
    try {
      log(await change(service, input));
      return 0;
    } catch (error) {
      const words = error instanceof Refusal ? inWords(input)[error.code] : undefined;
      if (words === undefined) throw error;
      process.stderr.write(`${words}\n`);
      return 1;
    }
  });
} else {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
}
