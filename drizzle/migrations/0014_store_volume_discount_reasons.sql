ALTER TABLE "order_lines" ADD COLUMN "volume_discount_reason" jsonb;--> statement-breakpoint
ALTER TABLE "renewal_price_locks" ADD COLUMN "volume_discount_reason" jsonb;--> statement-breakpoint
-- Lines from before this column get the reason that their invoices have printed: 5 % for 5 to 10 routes, 10 % for 11 or
-- more, anything else as agreed. A purchase of more than 20 routes was agreed with sales, whatever its percentage.
UPDATE "order_lines" AS line SET "volume_discount_reason" = CASE
	WHEN purchase."routes" > 20 THEN '{"kind":"agreed"}'::jsonb
	WHEN line."volume_discount_percent" = 5 THEN '{"kind":"tier","fromRoutes":5,"toRoutes":10}'::jsonb
	WHEN line."volume_discount_percent" = 10 THEN '{"kind":"tier","fromRoutes":11,"toRoutes":null}'::jsonb
	ELSE '{"kind":"agreed"}'::jsonb
END
FROM (
	SELECT "order_id", count(DISTINCT "route_id") AS "routes" FROM "order_lines" GROUP BY "order_id"
) AS purchase
WHERE purchase."order_id" = line."order_id" AND line."volume_discount_percent" > 0;
--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_volume_discount_reason" CHECK ("order_lines"."volume_discount_percent" = 0 or "order_lines"."volume_discount_reason" is not null);