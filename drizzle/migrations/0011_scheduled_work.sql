CREATE TABLE "inngest_contact" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"called_at" timestamp (3) with time zone,
	"registered_at" timestamp (3) with time zone,
	"registration_error" text,
	CONSTRAINT "inngest_contact_one_row" CHECK ("inngest_contact"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "job_states" (
	"job" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "interrupted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "test_clock" ADD COLUMN "moving_from_ms" bigint;--> statement-breakpoint
ALTER TABLE "test_clock" ADD COLUMN "moving_to_ms" bigint;--> statement-breakpoint
ALTER TABLE "test_clock" ADD CONSTRAINT "test_clock_move" CHECK (("test_clock"."moving_from_ms" is null) = ("test_clock"."moving_to_ms" is null));