ALTER TABLE "api_keys" ADD COLUMN "hourly_limit" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_hourly_limit" CHECK ("api_keys"."hourly_limit" > 0);