UPDATE "job_states" SET "job" = renamed."to"
FROM (VALUES ('withdraw-orders', 'close-expired-orders'), ('sum-up-usage', 'aggregate-usage'),
	('forget-old-logs', 'delete-old-logs'), ('forget-old-answers', 'delete-old-responses'),
	('forget-ended-sessions', 'delete-ended-sessions'), ('forget-old-runs', 'delete-old-runs'),
	('forget-old-links', 'delete-old-links')) AS renamed("from", "to")
WHERE "job" = renamed."from";
--> statement-breakpoint
UPDATE "job_runs" SET "job" = renamed."to"
FROM (VALUES ('withdraw-orders', 'close-expired-orders'), ('sum-up-usage', 'aggregate-usage'),
	('forget-old-logs', 'delete-old-logs'), ('forget-old-answers', 'delete-old-responses'),
	('forget-ended-sessions', 'delete-ended-sessions'), ('forget-old-runs', 'delete-old-runs'),
	('forget-old-links', 'delete-old-links')) AS renamed("from", "to")
WHERE "job" = renamed."from";
--> statement-breakpoint
UPDATE "job_runs" SET "outcome" = ("outcome" - 'forgotten') || jsonb_build_object('deleted', "outcome" -> 'forgotten')
WHERE "outcome" ? 'forgotten';
--> statement-breakpoint
UPDATE "job_runs" SET "outcome" = ("outcome" - 'withdrawn') || jsonb_build_object('cancelled', "outcome" -> 'withdrawn')
WHERE "outcome" ? 'withdrawn';
