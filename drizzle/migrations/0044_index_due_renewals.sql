DROP INDEX "subscriptions_end_date_idx";--> statement-breakpoint
CREATE INDEX "order_lines_subscription_id_idx" ON "order_lines" USING btree ("subscription_id") WHERE "order_lines"."subscription_id" is not null;--> statement-breakpoint
CREATE INDEX "renewal_attempts_pending_idx" ON "renewal_attempts" USING btree ("id") WHERE "renewal_attempts"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "subscriptions_renewing_idx" ON "subscriptions" USING btree ("end_date","id","account_id") WHERE "subscriptions"."auto_renew" and "subscriptions"."cancelled_at" is null;--> statement-breakpoint
CREATE INDEX "subscriptions_end_date_idx" ON "subscriptions" USING btree ("end_date","id");