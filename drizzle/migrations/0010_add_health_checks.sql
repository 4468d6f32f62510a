CREATE TABLE "health_checks" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "health_checks_one_row" CHECK ("health_checks"."id" = 1)
);
