ALTER TABLE "surcharges" ADD COLUMN "exchange_rate" numeric;--> statement-breakpoint
ALTER TABLE "surcharges" ADD COLUMN "exchange_rate_as_of" date;--> statement-breakpoint
ALTER TABLE "surcharges" ADD COLUMN "exchange_rate_source" text;--> statement-breakpoint
ALTER TABLE "surcharges" ADD CONSTRAINT "surcharges_exchange_rate_positive" CHECK ("surcharges"."exchange_rate" > 0);--> statement-breakpoint
ALTER TABLE "surcharges" ADD CONSTRAINT "surcharges_exchange_rate" CHECK (num_nonnulls("surcharges"."exchange_rate", "surcharges"."exchange_rate_as_of", "surcharges"."exchange_rate_source") = case when "surcharges"."currency" = 'USD' then 0 else 3 end);