CREATE TYPE "public"."period_policy" AS ENUM('quarterly', 'open_ended');--> statement-breakpoint
ALTER TABLE "periods" ADD COLUMN "lateness_announced_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "routes" ADD COLUMN "period_policy" "period_policy" DEFAULT 'quarterly' NOT NULL;--> statement-breakpoint
ALTER TABLE "trade_lanes" ADD COLUMN "period_freshness" "freshness";--> statement-breakpoint
ALTER TABLE "trade_lanes" ADD COLUMN "real_time_minutes" integer;--> statement-breakpoint
ALTER TABLE "trade_lanes" ADD COLUMN "daily_minutes" integer;--> statement-breakpoint
ALTER TABLE "trade_lanes" ADD COLUMN "weekly_minutes" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "periods_route_start_freshness_key" ON "periods" USING btree ("route_id","starts_on","freshness") WHERE "periods"."retired_at" is null;--> statement-breakpoint
ALTER TABLE "trade_lanes" ADD CONSTRAINT "trade_lanes_real_time_minutes" CHECK ("trade_lanes"."real_time_minutes" between 1 and 60);--> statement-breakpoint
ALTER TABLE "trade_lanes" ADD CONSTRAINT "trade_lanes_daily_minutes" CHECK ("trade_lanes"."daily_minutes" between 1 and 1440);--> statement-breakpoint
ALTER TABLE "trade_lanes" ADD CONSTRAINT "trade_lanes_weekly_minutes" CHECK ("trade_lanes"."weekly_minutes" between 1 and 10080);