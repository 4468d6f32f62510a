CREATE TYPE "public"."quote_status" AS ENUM('requested', 'offered', 'accepted', 'declined', 'expired', 'withdrawn');--> statement-breakpoint
CREATE TABLE "quote_lines" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "quote_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"quote_id" integer NOT NULL,
	"period_id" integer NOT NULL,
	"route_id" integer NOT NULL,
	"term" "subscription_term" NOT NULL,
	"monthly_cents" integer NOT NULL,
	"list_cents" integer NOT NULL,
	"term_discount_percent" smallint NOT NULL,
	"volume_discount_percent" smallint NOT NULL,
	"discount_cents" integer NOT NULL,
	"total_cents" integer NOT NULL,
	CONSTRAINT "quote_lines_quote_period_key" UNIQUE("quote_id","period_id"),
	CONSTRAINT "quote_lines_total" CHECK ("quote_lines"."total_cents" = "quote_lines"."list_cents" - "quote_lines"."discount_cents" and "quote_lines"."total_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "quotes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"status" "quote_status" DEFAULT 'requested' NOT NULL,
	"currency" text NOT NULL,
	"request_note" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"offer_number" smallint DEFAULT 0 NOT NULL,
	"discount_percent" smallint,
	"valid_through" date,
	"keeps_discount" boolean DEFAULT false NOT NULL,
	"discount_through" date,
	"offer_note" text,
	"offered_at" timestamp (3) with time zone,
	"offered_by" integer,
	"accepted_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"end_note" text,
	CONSTRAINT "quotes_offer" CHECK (num_nulls("quotes"."discount_percent", "quotes"."valid_through", "quotes"."offered_at", "quotes"."offered_by") = case when "quotes"."offer_number" = 0 then 4 else 0 end),
	CONSTRAINT "quotes_offered" CHECK ("quotes"."offer_number" > 0 or "quotes"."status" in ('requested', 'withdrawn')),
	CONSTRAINT "quotes_discount_percent" CHECK ("quotes"."discount_percent" between 1 and 100),
	CONSTRAINT "quotes_ended" CHECK (("quotes"."ended_at" is not null) = ("quotes"."status" in ('declined', 'expired', 'withdrawn')))
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "custom_discount_through" date;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "custom_discount_agreed_by" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "quote_id" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "volume_agreement" jsonb;--> statement-breakpoint
ALTER TABLE "quote_lines" ADD CONSTRAINT "quote_lines_quote_id_quotes_id_fk" FOREIGN KEY ("quote_id") REFERENCES "public"."quotes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quote_lines" ADD CONSTRAINT "quote_lines_period_id_periods_id_fk" FOREIGN KEY ("period_id") REFERENCES "public"."periods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quote_lines" ADD CONSTRAINT "quote_lines_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_offered_by_accounts_id_fk" FOREIGN KEY ("offered_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "quotes_account_id_idx" ON "quotes" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "quotes_undecided_idx" ON "quotes" USING btree ("id") WHERE "quotes"."status" in ('requested', 'offered', 'accepted');--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_custom_discount_agreed_by_accounts_id_fk" FOREIGN KEY ("custom_discount_agreed_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_quote_id_quotes_id_fk" FOREIGN KEY ("quote_id") REFERENCES "public"."quotes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_quote_id_key" UNIQUE("quote_id");--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_custom_discount" CHECK ("accounts"."custom_discount_percent" is not null or ("accounts"."custom_discount_through" is null and "accounts"."custom_discount_agreed_by" is null));