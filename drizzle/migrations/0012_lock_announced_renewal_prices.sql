CREATE TABLE "renewal_price_locks" (
	"subscription_id" integer NOT NULL,
	"end_date" date NOT NULL,
	"term" "subscription_term" NOT NULL,
	"monthly_cents" integer NOT NULL,
	"list_cents" integer NOT NULL,
	"term_discount_percent" smallint NOT NULL,
	"volume_discount_percent" smallint NOT NULL,
	"discount_cents" integer NOT NULL,
	"total_cents" integer NOT NULL,
	"locked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "renewal_price_locks_subscription_id_end_date_term_pk" PRIMARY KEY("subscription_id","end_date","term"),
	CONSTRAINT "renewal_price_locks_total" CHECK ("renewal_price_locks"."total_cents" = "renewal_price_locks"."list_cents" - "renewal_price_locks"."discount_cents")
);
--> statement-breakpoint
ALTER TABLE "renewal_price_locks" ADD CONSTRAINT "renewal_price_locks_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;