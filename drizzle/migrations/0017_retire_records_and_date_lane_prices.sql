CREATE TABLE "trade_lane_prices" (
	"trade_lane_id" integer NOT NULL,
	"valid_from" date NOT NULL,
	"base_price_cents" integer NOT NULL,
	CONSTRAINT "trade_lane_prices_trade_lane_id_valid_from_pk" PRIMARY KEY("trade_lane_id","valid_from"),
	CONSTRAINT "trade_lane_prices_positive" CHECK ("trade_lane_prices"."base_price_cents" > 0)
);
--> statement-breakpoint
ALTER TABLE "carriers" ADD COLUMN "retired_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "periods" ADD COLUMN "retired_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ports" ADD COLUMN "retired_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "regions" ADD COLUMN "retired_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "route_groups" ADD COLUMN "retired_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "routes" ADD COLUMN "retired_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "trade_lanes" ADD COLUMN "retired_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "trade_lane_prices" ADD CONSTRAINT "trade_lane_prices_trade_lane_id_trade_lanes_id_fk" FOREIGN KEY ("trade_lane_id") REFERENCES "public"."trade_lanes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The prices that lanes have had so far apply to every earlier day too.
INSERT INTO "trade_lane_prices" ("trade_lane_id", "valid_from", "base_price_cents")
SELECT "id", '2000-01-01', "base_price_cents" FROM "trade_lanes";
--> statement-breakpoint
ALTER TABLE "trade_lanes" DROP COLUMN "base_price_cents";