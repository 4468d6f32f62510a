CREATE TABLE "usage_service_days" (
	"day" date PRIMARY KEY NOT NULL,
	"accounts" integer NOT NULL,
	"requests" bigint NOT NULL,
	"errors" bigint NOT NULL,
	"rate_limited" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "outbox_messages_due_at_idx";--> statement-breakpoint
ALTER TABLE "outbox_messages" ADD COLUMN "given_up_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "audit_log_actor_account_id_idx" ON "audit_log" USING btree ("actor_account_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_action_idx" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "invoices_issued_at_idx" ON "invoices" USING btree ("issued_at");--> statement-breakpoint
CREATE INDEX "outbox_messages_given_up_at_idx" ON "outbox_messages" USING btree ("given_up_at") WHERE "outbox_messages"."given_up_at" is not null;--> statement-breakpoint
CREATE INDEX "payments_disputed_at_idx" ON "payments" USING btree ("disputed_at") WHERE "payments"."disputed_at" is not null;--> statement-breakpoint
CREATE INDEX "renewal_attempts_declined_idx" ON "renewal_attempts" USING btree ("attempted_on") WHERE "renewal_attempts"."state" = 'declined';--> statement-breakpoint
CREATE INDEX "usage_days_day_idx" ON "usage_days" USING brin ("day");--> statement-breakpoint
CREATE INDEX "outbox_messages_due_at_idx" ON "outbox_messages" USING btree ("due_at") WHERE "outbox_messages"."sent_at" is null and "outbox_messages"."given_up_at" is null;