-- Unlogged: counting writes no WAL. Free space in every page lets updates stay there (HOT), so that they need no new index entry.
CREATE UNLOGGED TABLE "rate_limit_counters" (
	"subject" text NOT NULL,
	"window_seconds" smallint NOT NULL,
	"slot" smallint NOT NULL,
	"window_number" bigint NOT NULL,
	"requests" integer NOT NULL,
	CONSTRAINT "rate_limit_counters_subject_window_seconds_slot_pk" PRIMARY KEY("subject","window_seconds","slot")
) WITH (fillfactor = 50);
