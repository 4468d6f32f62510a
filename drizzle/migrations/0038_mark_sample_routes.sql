ALTER TABLE "routes" ADD COLUMN "is_sample" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "routes_one_sample_per_cargo_type" ON "routes" USING btree ("cargo_type") WHERE "routes"."is_sample";--> statement-breakpoint
SELECT history.follow('routes', 'id', large => 'waypoints');
--> statement-breakpoint
UPDATE history.routes SET is_sample = false WHERE is_sample IS NULL;
