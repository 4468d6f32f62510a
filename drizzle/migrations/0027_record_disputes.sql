CREATE TYPE "public"."dispute_status" AS ENUM('open', 'won', 'lost', 'closed');--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "disputes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"provider_id" text NOT NULL,
	"account_id" integer NOT NULL,
	"payment_id" integer NOT NULL,
	"status" "dispute_status" NOT NULL,
	"reason" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "disputes_providerId_unique" UNIQUE("provider_id"),
	CONSTRAINT "disputes_ended" CHECK (("disputes"."status" = 'open') = ("disputes"."ended_at" is null))
);
--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "disputed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "disputes_account_id_idx" ON "disputes" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "disputes_payment_id_idx" ON "disputes" USING btree ("payment_id");--> statement-breakpoint
-- A card whose charge was disputed is not charged until its holder chooses it.
UPDATE "payment_methods" SET "disputed_at" = "payments"."disputed_at", "is_default" = false FROM "payments" WHERE "payments"."disputed_at" IS NOT NULL AND "payments"."account_id" = "payment_methods"."account_id" AND "payments"."card_brand" = "payment_methods"."brand" AND "payments"."card_last4" = "payment_methods"."last4";
