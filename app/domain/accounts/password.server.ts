/** Argon2id (OWASP parameters: 19 MiB, 2 passes, 1 lane). */
import { hash, verify } from "@node-rs/argon2";

const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, parameters);

/** Without a hash it compares with a dummy one, so that an unknown e-mail takes as long as a wrong password. */
export const passwordMatches = async (storedHash: string | null, password: string): Promise<boolean> => {
  const matches = await verify(storedHash ?? (await dummyHash()), password);
  return matches && storedHash !== null;
};

let dummy: Promise<string> | undefined;
const dummyHash = (): Promise<string> => {
  dummy ??= hashPassword("a password that no account has");
  return dummy;
};
