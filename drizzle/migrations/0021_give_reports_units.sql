CREATE TYPE "public"."capacity_unit" AS ENUM('TEU', 'tonnes_dwt', 'lane_metres', 'freight_tonnes');--> statement-breakpoint
CREATE TYPE "public"."rate_basis" AS ENUM('per_container', 'per_tonne', 'per_lane_metre', 'per_freight_tonne');--> statement-breakpoint
CREATE TABLE "exchange_rates" (
	"base" text NOT NULL,
	"quote" text NOT NULL,
	"as_of" date NOT NULL,
	"rate" numeric NOT NULL,
	"source" text NOT NULL,
	CONSTRAINT "exchange_rates_base_quote_as_of_pk" PRIMARY KEY("base","quote","as_of"),
	CONSTRAINT "exchange_rates_positive" CHECK ("exchange_rates"."rate" > 0 and "exchange_rates"."rate" < 1000000000),
	CONSTRAINT "exchange_rates_pair" CHECK ("exchange_rates"."base" <> "exchange_rates"."quote")
);
--> statement-breakpoint
ALTER TABLE "reports" DROP CONSTRAINT "reports_observation_key";--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "equipment_type" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "basis" "rate_basis";--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "currency" text;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "surcharges" jsonb;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "capacity_unit" "capacity_unit";--> statement-breakpoint
-- Only the 40' high cube was reported for containers, and all amounts were in US dollars.
UPDATE "reports" SET
	"equipment_type" = CASE WHEN "reports"."type" = 'rate' AND "routes"."cargo_type" = 'container' THEN '45G1' ELSE '' END,
	"basis" = CASE WHEN "reports"."type" = 'rate' THEN CASE "routes"."cargo_type"
		WHEN 'container' THEN 'per_container' WHEN 'bulk' THEN 'per_tonne' WHEN 'ro_ro' THEN 'per_lane_metre'
		ELSE 'per_freight_tonne' END END::"rate_basis",
	"currency" = CASE WHEN "reports"."type" = 'rate' THEN 'USD' END,
	"capacity_unit" = CASE WHEN "reports"."available_capacity" IS NOT NULL THEN CASE "routes"."cargo_type"
		WHEN 'container' THEN 'TEU' WHEN 'bulk' THEN 'tonnes_dwt' WHEN 'ro_ro' THEN 'lane_metres'
		ELSE 'freight_tonnes' END END::"capacity_unit"
FROM "periods" JOIN "routes" ON "routes"."id" = "periods"."route_id"
WHERE "periods"."id" = "reports"."period_id"
	AND ("reports"."type" = 'rate' OR "reports"."available_capacity" IS NOT NULL);--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_observation_key" UNIQUE("period_id","observed_at","type","service_level","equipment_type");--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_rate_unit" CHECK (coalesce("reports"."base_rate_cents", "reports"."surcharges_cents") is null or ("reports"."basis" is not null and "reports"."currency" is not null));--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_capacity_unit" CHECK ("reports"."available_capacity" is null or "reports"."capacity_unit" is not null);