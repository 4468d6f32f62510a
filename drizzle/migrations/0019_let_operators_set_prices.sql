CREATE TYPE "public"."price_override_kind" AS ENUM('freeze', 'override');--> statement-breakpoint
ALTER TYPE "public"."price_change_reason" ADD VALUE 'freeze';--> statement-breakpoint
ALTER TYPE "public"."price_change_reason" ADD VALUE 'override';--> statement-breakpoint
ALTER TYPE "public"."price_change_reason" ADD VALUE 'release';--> statement-breakpoint
CREATE TABLE "price_overrides" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "price_overrides_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"route_id" integer NOT NULL,
	"freshness" "freshness" NOT NULL,
	"kind" "price_override_kind" NOT NULL,
	"monthly_cents" integer NOT NULL,
	"reason" text NOT NULL,
	"valid_from" date NOT NULL,
	"valid_to" date,
	"operator_account_id" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "price_overrides_positive" CHECK ("price_overrides"."monthly_cents" > 0),
	CONSTRAINT "price_overrides_order" CHECK ("price_overrides"."valid_to" > "price_overrides"."valid_from")
);
--> statement-breakpoint
ALTER TABLE "period_prices" ADD COLUMN "override_kind" "price_override_kind";--> statement-breakpoint
ALTER TABLE "price_overrides" ADD CONSTRAINT "price_overrides_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_overrides" ADD CONSTRAINT "price_overrides_operator_account_id_accounts_id_fk" FOREIGN KEY ("operator_account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "price_overrides_route_id_idx" ON "price_overrides" USING btree ("route_id","freshness");--> statement-breakpoint
-- One price on each day. Needs btree_gist, like subscriptions_no_overlap.
ALTER TABLE "price_overrides"
  ADD CONSTRAINT "price_overrides_no_overlap"
  EXCLUDE USING gist ("route_id" WITH =, "freshness" WITH =, daterange("valid_from", "valid_to") WITH &&)
  WHERE ("ended_at" IS NULL);
