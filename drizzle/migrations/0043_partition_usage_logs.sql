CREATE TABLE "usage_plan_changes" (
	"account_id" integer PRIMARY KEY NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- The former table becomes the partition of records without a plan, so that no row is copied.
ALTER TABLE "usage_logs" RENAME TO "usage_logs_without_plan";--> statement-breakpoint
ALTER INDEX "usage_logs_occurred_at_idx" RENAME TO "usage_logs_without_plan_occurred_at_idx";--> statement-breakpoint
ALTER INDEX "usage_logs_status_idx" RENAME TO "usage_logs_without_plan_status_idx";--> statement-breakpoint
-- The partitioned table has the sequence: PostgreSQL 17 refuses partitions with one of their own.
ALTER TABLE "usage_logs_without_plan" ALTER COLUMN "id" DROP IDENTITY;--> statement-breakpoint
ALTER TABLE "usage_logs_without_plan" ADD COLUMN "plan" "plan_name";--> statement-breakpoint
CREATE TABLE "usage_logs" (LIKE "usage_logs_without_plan" INCLUDING DEFAULTS) PARTITION BY LIST ("plan");--> statement-breakpoint
ALTER TABLE "usage_logs" ALTER COLUMN "id" ADD GENERATED ALWAYS AS IDENTITY;--> statement-breakpoint
SELECT setval(pg_get_serial_sequence('usage_logs', 'id'), coalesce(max("id"), 0) + 1, false) FROM "usage_logs_without_plan";--> statement-breakpoint
ALTER TABLE "usage_logs_without_plan" DROP CONSTRAINT "usage_logs_pkey";--> statement-breakpoint
CREATE INDEX "usage_logs_occurred_at_idx" ON "usage_logs" USING btree ("account_id","occurred_at");--> statement-breakpoint
CREATE INDEX "usage_logs_status_idx" ON "usage_logs" USING btree ("account_id","status","occurred_at") WHERE "usage_logs"."status" <> 200;--> statement-breakpoint
ALTER TABLE "usage_logs" ATTACH PARTITION "usage_logs_without_plan" FOR VALUES IN (NULL);--> statement-breakpoint
-- The default partitions take records of a time for which there is no partition (yet).
CREATE TABLE "usage_logs_free" PARTITION OF "usage_logs" FOR VALUES IN ('free') PARTITION BY RANGE ("occurred_at");--> statement-breakpoint
CREATE TABLE "usage_logs_free_default" PARTITION OF "usage_logs_free" DEFAULT;--> statement-breakpoint
CREATE TABLE "usage_logs_professional" PARTITION OF "usage_logs" FOR VALUES IN ('professional') PARTITION BY RANGE ("occurred_at");--> statement-breakpoint
CREATE TABLE "usage_logs_professional_default" PARTITION OF "usage_logs_professional" DEFAULT;--> statement-breakpoint
CREATE TABLE "usage_logs_enterprise" PARTITION OF "usage_logs" FOR VALUES IN ('enterprise') PARTITION BY RANGE ("occurred_at");--> statement-breakpoint
CREATE TABLE "usage_logs_enterprise_default" PARTITION OF "usage_logs_enterprise" DEFAULT;
