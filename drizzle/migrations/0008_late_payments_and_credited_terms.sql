CREATE TYPE "public"."return_reason" AS ENUM('paid_too_late', 'account_suspended');--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "credited_through_term_id" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "return_reason" "return_reason";--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_credited_through_term_id_paid_terms_id_fk" FOREIGN KEY ("credited_through_term_id") REFERENCES "public"."paid_terms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_pending_idx" ON "orders" USING btree ("id") WHERE "orders"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "orders_returned_idx" ON "orders" USING btree ("id") WHERE "orders"."return_reason" is not null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_returned" CHECK ("orders"."return_reason" is null or "orders"."status" <> 'pending');--> statement-breakpoint
-- Changes of term that were opened before this column existed have credited what was paid by then.
UPDATE "order_lines" SET "credited_through_term_id" = (
  SELECT max("paid_terms"."id") FROM "paid_terms"
  JOIN "order_lines" "credited" ON "credited"."id" = "paid_terms"."order_line_id"
  JOIN "orders" "earlier" ON "earlier"."id" = "credited"."order_id"
  WHERE "paid_terms"."subscription_id" = "order_lines"."subscription_id"
    AND "earlier"."id" <> "change"."id" AND "earlier"."paid_at" <= "change"."created_at"
)
FROM "orders" "change"
WHERE "change"."id" = "order_lines"."order_id" AND "change"."kind" = 'term_change';
