ALTER TABLE "catalogue_imports" ADD COLUMN "heartbeat_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "rows_done" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "rows_expected" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "rows" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "new_records" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "changed_records" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "unchanged_records" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "error_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "changed_routes" integer;--> statement-breakpoint
-- A new type: values added to an enum cannot be used in the transaction that adds them, and all migrations share one.
ALTER TYPE "public"."import_status" RENAME TO "import_status_old";--> statement-breakpoint
CREATE TYPE "public"."import_status" AS ENUM('checking', 'checked', 'refused', 'applying', 'applied', 'discarded');--> statement-breakpoint
-- Files whose check had not ended were stored as refused, with task 1. Those that were put away since are discarded.
ALTER TABLE "catalogue_imports" ALTER COLUMN "status" TYPE "public"."import_status" USING (
  case
    when "status" = 'refused' and "summary" ->> 'task' = '1' and "ended_at" is null then 'checking'
    when "status" = 'refused' and "summary" ->> 'task' = '1' then 'discarded'
    else "status"::text
  end)::"public"."import_status";--> statement-breakpoint
DROP TYPE "public"."import_status_old";--> statement-breakpoint
UPDATE "catalogue_imports" SET
  "heartbeat_at" = case when "status" = 'checking'
    then coalesce(to_timestamp(("summary" ->> 'beat_at')::float8 / 1000), "created_at") end,
  "rows_done" = coalesce(("summary" ->> 'rows_done')::integer, 0),
  "rows_expected" = coalesce(("summary" ->> 'rows_expected')::integer, ("summary" ->> 'rows')::integer, 0),
  "rows" = coalesce(("summary" ->> 'rows')::integer, 0),
  "new_records" = coalesce(("summary" ->> 'new')::integer, 0),
  "changed_records" = coalesce(("summary" ->> 'changed')::integer, 0),
  "unchanged_records" = coalesce(("summary" ->> 'unchanged')::integer, 0),
  "error_count" = coalesce(("summary" ->> 'errors')::integer, 0),
  "changed_routes" = ("summary" ->> 'changed_routes')::integer;--> statement-breakpoint
ALTER TABLE "catalogue_imports" DROP COLUMN "summary";--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD CONSTRAINT "catalogue_imports_heartbeat" CHECK (("catalogue_imports"."status" in ('checking', 'applying')) = ("catalogue_imports"."heartbeat_at" is not null));
