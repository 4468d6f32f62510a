CREATE TABLE "lane_benchmarks" (
	"trade_lane_id" integer NOT NULL,
	"cargo_type" "cargo_type" NOT NULL,
	"equipment_type" text NOT NULL,
	"week" date NOT NULL,
	"low_cents" integer NOT NULL,
	"median_cents" integer NOT NULL,
	"high_cents" integer NOT NULL,
	"route_count" integer NOT NULL,
	"carrier_count" integer NOT NULL,
	"computed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "lane_benchmarks_trade_lane_id_cargo_type_equipment_type_week_pk" PRIMARY KEY("trade_lane_id","cargo_type","equipment_type","week"),
	CONSTRAINT "lane_benchmarks_order" CHECK ("lane_benchmarks"."low_cents" <= "lane_benchmarks"."median_cents" and "lane_benchmarks"."median_cents" <= "lane_benchmarks"."high_cents")
);
--> statement-breakpoint
ALTER TABLE "lane_benchmarks" ADD CONSTRAINT "lane_benchmarks_trade_lane_id_trade_lanes_id_fk" FOREIGN KEY ("trade_lane_id") REFERENCES "public"."trade_lanes"("id") ON DELETE cascade ON UPDATE no action;