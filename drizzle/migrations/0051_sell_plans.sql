ALTER TYPE "public"."order_kind" ADD VALUE 'plan';--> statement-breakpoint
ALTER TYPE "public"."return_reason" ADD VALUE 'plan_changed';--> statement-breakpoint
CREATE TABLE "paid_plan_terms" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "paid_plan_terms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"order_id" integer NOT NULL,
	"plan" "plan_name" NOT NULL,
	"term" "subscription_term" NOT NULL,
	"start_date" date NOT NULL,
	"end_date" date NOT NULL,
	"total_cents" integer NOT NULL,
	"ended_on" date,
	"ended_after_term_id" integer,
	CONSTRAINT "paid_plan_terms_orderId_unique" UNIQUE("order_id"),
	CONSTRAINT "paid_plan_terms_dates" CHECK ("paid_plan_terms"."end_date" > "paid_plan_terms"."start_date"),
	CONSTRAINT "paid_plan_terms_ended" CHECK (("paid_plan_terms"."ended_on" is null) = ("paid_plan_terms"."ended_after_term_id" is null))
);
--> statement-breakpoint
CREATE TABLE "paid_plans" (
	"account_id" integer PRIMARY KEY NOT NULL,
	"plan" "plan_name" NOT NULL,
	"start_date" date NOT NULL,
	"anchor_date" date NOT NULL,
	"months_paid" integer NOT NULL,
	"end_date" date NOT NULL,
	CONSTRAINT "paid_plans_plan" CHECK ("paid_plans"."plan" <> 'free'),
	CONSTRAINT "paid_plans_dates" CHECK ("paid_plans"."end_date" > "paid_plans"."start_date")
);
--> statement-breakpoint
CREATE TABLE "plan_prices" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "plan_prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"plan" "plan_name" NOT NULL,
	"monthly_cents" integer,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"operator_account_id" integer,
	CONSTRAINT "plan_prices_plan" CHECK ("plan_prices"."plan" <> 'free'),
	CONSTRAINT "plan_prices_monthly_cents" CHECK ("plan_prices"."monthly_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "plan_order_lines" (
	"order_id" integer PRIMARY KEY NOT NULL,
	"plan" "plan_name" NOT NULL,
	"term" "subscription_term" NOT NULL,
	"monthly_cents" integer NOT NULL,
	"total_cents" integer NOT NULL,
	"taxes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "plan_order_lines_plan" CHECK ("plan_order_lines"."plan" <> 'free'),
	CONSTRAINT "plan_order_lines_total" CHECK ("plan_order_lines"."monthly_cents" > 0 and "plan_order_lines"."total_cents" >= "plan_order_lines"."monthly_cents")
);
--> statement-breakpoint
ALTER TABLE "paid_plan_terms" ADD CONSTRAINT "paid_plan_terms_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paid_plan_terms" ADD CONSTRAINT "paid_plan_terms_order_id_plan_order_lines_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."plan_order_lines"("order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paid_plan_terms" ADD CONSTRAINT "paid_plan_terms_ended_after_term_id_paid_plan_terms_id_fk" FOREIGN KEY ("ended_after_term_id") REFERENCES "public"."paid_plan_terms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paid_plans" ADD CONSTRAINT "paid_plans_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_prices" ADD CONSTRAINT "plan_prices_operator_account_id_accounts_id_fk" FOREIGN KEY ("operator_account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_order_lines" ADD CONSTRAINT "plan_order_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "paid_plan_terms_account_id_idx" ON "paid_plan_terms" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "paid_plans_end_date_idx" ON "paid_plans" USING btree ("end_date");--> statement-breakpoint
CREATE INDEX "plan_prices_plan_idx" ON "plan_prices" USING btree ("plan","id");