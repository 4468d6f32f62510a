/** The price of a plan as operators enter it, in the console and by command. */
import { z } from "zod";
import { price } from "../imports/cells.ts";
import { soldPlans } from "../paid-plans/policy.ts";

const plan = z.enum(soldPlans, `Choose one of ${soldPlans.join(", ")}`);

export const planPriceForm = z.object({ plan, monthly_price: price });

export const planPriceWithdrawal = z.object({ plan });
