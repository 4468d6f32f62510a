-- An account never pays twice for the same days of the same period: a purchase extends what is running.
CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
ALTER TABLE "subscriptions"
  ADD CONSTRAINT "subscriptions_no_overlap"
  EXCLUDE USING gist ("account_id" WITH =, "period_id" WITH =, daterange("start_date", "end_date") WITH &&)
  DEFERRABLE INITIALLY IMMEDIATE;
