ALTER TABLE "catalogue_imports" ADD COLUMN "machine_user" text;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "staged_rows" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "warning_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "warnings" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "preview" jsonb;--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "first_rows" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
-- The text of a file that is not applied goes with its column, so the file has to be imported again.
UPDATE "catalogue_imports" SET "status" = 'discarded', "heartbeat_at" = NULL,
  "ended_at" = coalesce("ended_at", "heartbeat_at", "created_at")
  WHERE "status" IN ('checking', 'checked', 'applying');--> statement-breakpoint
UPDATE "catalogue_imports" SET "errors" = (
  SELECT jsonb_agg((e - 'line') || jsonb_build_object('row', e->'line', 'code', 'malformed') ORDER BY n)
  FROM jsonb_array_elements("errors") WITH ORDINALITY AS listed(e, n)
) WHERE "errors" <> '[]';--> statement-breakpoint
ALTER TABLE "catalogue_imports" DROP COLUMN "content";