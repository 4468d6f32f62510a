/** The comparison that an address asks for: `/compare?origin=CNSHA&destination=NLRTM&equipment_type=45G1&sort=transit`. */
import { z } from "zod";
import { unlocode } from "#app/domain/catalogue/browse.ts";
import { equipmentCode } from "#app/domain/catalogue/equipment.ts";
import { comparisonOrders } from "#app/domain/comparison/compare.ts";

export const comparisonChoice = z.object({
  equipment_type: z.string().regex(equipmentCode).optional().catch(undefined),
  sort: z.enum(comparisonOrders).catch("all_in"),
});

export const comparisonRequest = comparisonChoice.extend({ origin: unlocode, destination: unlocode });
