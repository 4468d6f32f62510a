CREATE TABLE "change_dispatch" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"dispatched_through" bigint NOT NULL,
	CONSTRAINT "change_dispatch_one_row" CHECK ("change_dispatch"."id")
);
--> statement-breakpoint
-- Only changes from now on become events.
INSERT INTO "change_dispatch" ("dispatched_through") SELECT coalesce(max("id"), 0) FROM "route_changes";
