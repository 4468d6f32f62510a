CREATE TYPE "public"."price_change_reason" AS ENUM('initial', 'base_price', 'freshness', 'popularity');--> statement-breakpoint
CREATE TABLE "period_prices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "period_prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"period_id" integer NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"base_price_cents" integer NOT NULL,
	"freshness_percent" smallint NOT NULL,
	"popularity_percent" smallint NOT NULL,
	"monthly_cents" integer NOT NULL,
	"reason" "price_change_reason" NOT NULL,
	CONSTRAINT "period_prices_period_id_valid_from" UNIQUE("period_id","valid_from")
);
--> statement-breakpoint
ALTER TABLE "period_prices" ADD CONSTRAINT "period_prices_period_id_periods_id_fk" FOREIGN KEY ("period_id") REFERENCES "public"."periods"("id") ON DELETE cascade ON UPDATE no action;