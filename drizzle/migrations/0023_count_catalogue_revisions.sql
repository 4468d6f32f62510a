CREATE TABLE "catalogue_state" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"revision" bigint NOT NULL,
	CONSTRAINT "catalogue_state_one_row" CHECK ("catalogue_state"."id")
);
--> statement-breakpoint
ALTER TABLE "catalogue_imports" ADD COLUMN "catalogue_revision" bigint;--> statement-breakpoint
INSERT INTO "catalogue_state" ("revision") VALUES (0);
