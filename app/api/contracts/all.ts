/** Every contract, in the order of the documentation. */
import type { Contract } from "../endpoint.ts";
import * as alerts from "./alerts.ts";
import * as auth from "./auth.ts";
import * as benchmarks from "./benchmarks.ts";
import * as catalogue from "./catalogue.ts";
import * as changes from "./changes.ts";
import * as comparison from "./comparison.ts";
import * as directory from "./directory.ts";
import * as keys from "./keys.ts";
import * as openApi from "./openapi.ts";
import * as reports from "./reports.ts";
import * as routeData from "./route-data.ts";
import * as schedules from "./schedules.ts";
import * as statements from "./statements.ts";
import * as subscriptionActions from "./subscription-actions.ts";
import * as subscriptions from "./subscriptions.ts";
import * as usage from "./usage.ts";
import * as webhooks from "./webhooks.ts";

const isContract = (value: unknown): value is Contract =>
  typeof value === "object" && value !== null && "path" in value && "access" in value && "answer" in value;

export const contracts: Contract[] = [
  auth,
  keys,
  directory,
  catalogue,
  routeData,
  reports,
  schedules,
  changes,
  benchmarks,
  comparison,
  subscriptions,
  subscriptionActions,
  statements,
  alerts,
  usage,
  webhooks,
  openApi,
].flatMap((file) => Object.values(file).filter(isContract));
