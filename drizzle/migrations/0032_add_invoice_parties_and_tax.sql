CREATE TABLE "billing_details" (
	"account_id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"address_line1" text NOT NULL,
	"address_line2" text,
	"postal_code" text,
	"city" text NOT NULL,
	"region" text,
	"country" text NOT NULL,
	"tax_id" text,
	"purchase_order" text,
	"email" text,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "billing_details_country" CHECK ("billing_details"."country" ~ '^[A-Z]{2}$')
);
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_amount";--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "taxes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "is_reverse_charge" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "seller" jsonb;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "buyer" jsonb;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "taxes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_country" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_reverse_charge" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "buyer" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_calculation_id" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "taxed_at" timestamp (3) with time zone;--> statement-breakpoint
-- Orders so far were priced without tax.
UPDATE "orders" SET "taxed_at" = "created_at";--> statement-breakpoint
ALTER TABLE "billing_details" ADD CONSTRAINT "billing_details_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_tax" CHECK ("invoices"."tax_cents" between least(0, "invoices"."amount_cents") and greatest(0, "invoices"."amount_cents"));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_reverse_charge" CHECK (not "orders"."is_reverse_charge" or "orders"."tax_cents" = 0);--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_taxed" CHECK ("orders"."taxed_at" is not null or "orders"."status" = 'pending');--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_amount" CHECK ("orders"."amount_cents" >= "orders"."tax_cents" and "orders"."tax_cents" >= 0);