ALTER TABLE "outbox_messages" ADD COLUMN "html" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox_messages" ADD COLUMN "holds_secret" boolean DEFAULT false NOT NULL;