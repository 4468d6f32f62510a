/** Every contract, in the order of the documentation. */
import type { Contract } from "../endpoint.ts";
import * as auth from "./auth.ts";
import * as catalogue from "./catalogue.ts";
import * as directory from "./directory.ts";
import * as keys from "./keys.ts";
import * as openApi from "./openapi.ts";
import * as schedules from "./schedules.ts";
import * as subscriptionActions from "./subscription-actions.ts";
import * as subscriptions from "./subscriptions.ts";
import * as usage from "./usage.ts";

const isContract = (value: unknown): value is Contract =>
  typeof value === "object" && value !== null && "path" in value && "access" in value && "answer" in value;

export const contracts: Contract[] = [
  auth,
  keys,
  directory,
  catalogue,
  schedules,
  subscriptions,
  subscriptionActions,
  usage,
  openApi,
].flatMap((file) => Object.values(file).filter(isContract));
