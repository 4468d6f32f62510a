ALTER TABLE "paid_terms" ADD COLUMN "ended_on" date;--> statement-breakpoint
ALTER TABLE "paid_terms" ADD COLUMN "ended_after_term_id" integer;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "charged_back_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "payments" SET "charged_back_cents" = least("amount_cents", "lost"."cents") FROM (
	SELECT "payment_id", sum("amount_cents") AS "cents" FROM "disputes" WHERE "status" = 'lost' GROUP BY "payment_id"
) "lost" WHERE "lost"."payment_id" = "payments"."id";--> statement-breakpoint
ALTER TABLE "paid_terms" ADD CONSTRAINT "paid_terms_ended_after_term_id_paid_terms_id_fk" FOREIGN KEY ("ended_after_term_id") REFERENCES "public"."paid_terms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paid_terms" ADD CONSTRAINT "paid_terms_ended" CHECK (("paid_terms"."ended_on" is null) = ("paid_terms"."ended_after_term_id" is null));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_charged_back" CHECK ("payments"."charged_back_cents" between 0 and "payments"."amount_cents");