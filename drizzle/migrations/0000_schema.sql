CREATE TYPE "public"."account_role" AS ENUM('holder', 'operator');--> statement-breakpoint
CREATE TYPE "public"."account_standing" AS ENUM('good', 'suspended');--> statement-breakpoint
CREATE TYPE "public"."api_key_status" AS ENUM('active', 'inactive');--> statement-breakpoint
CREATE TYPE "public"."booking_status" AS ENUM('open', 'limited', 'full', 'closed');--> statement-breakpoint
CREATE TYPE "public"."cargo_type" AS ENUM('container', 'bulk', 'ro_ro', 'break_bulk');--> statement-breakpoint
CREATE TYPE "public"."freshness" AS ENUM('real_time', 'daily', 'weekly');--> statement-breakpoint
CREATE TYPE "public"."haul" AS ENUM('head_haul', 'back_haul');--> statement-breakpoint
CREATE TYPE "public"."invoice_kind" AS ENUM('invoice', 'credit_note');--> statement-breakpoint
CREATE TYPE "public"."order_kind" AS ENUM('purchase', 'renewal', 'term_change');--> statement-breakpoint
CREATE TYPE "public"."order_status" AS ENUM('pending', 'paid', 'refunded');--> statement-breakpoint
CREATE TYPE "public"."plan_name" AS ENUM('free', 'professional', 'enterprise');--> statement-breakpoint
CREATE TYPE "public"."renewal_attempt_state" AS ENUM('pending', 'succeeded', 'declined');--> statement-breakpoint
CREATE TYPE "public"."report_type" AS ENUM('rate', 'capacity', 'schedule', 'performance');--> statement-breakpoint
CREATE TYPE "public"."service_level_name" AS ENUM('express', 'standard', 'economy');--> statement-breakpoint
CREATE TYPE "public"."session_kind" AS ENUM('portal', 'bearer');--> statement-breakpoint
CREATE TYPE "public"."subscription_term" AS ENUM('1_month', '2_months', '3_months', '6_months', '12_months');--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"username" text NOT NULL,
	"password_hash" text NOT NULL,
	"plan" "plan_name" DEFAULT 'free' NOT NULL,
	"standing" "account_standing" DEFAULT 'good' NOT NULL,
	"role" "account_role" DEFAULT 'holder' NOT NULL,
	"custom_hourly_limit" integer,
	"custom_discount_percent" smallint,
	"stripe_customer_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "accounts_stripeCustomerId_unique" UNIQUE("stripe_customer_id"),
	CONSTRAINT "accounts_custom_hourly_limit" CHECK ("accounts"."custom_hourly_limit" > 0),
	CONSTRAINT "accounts_custom_discount_percent" CHECK ("accounts"."custom_discount_percent" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"name" text NOT NULL,
	"user" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"display_prefix" text NOT NULL,
	"status" "api_key_status" DEFAULT 'active' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_keys_secretHash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" integer,
	"actor_account_id" integer,
	"action" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "base_rates" (
	"route_id" integer NOT NULL,
	"service_level" "service_level_name" NOT NULL,
	"equipment_type" text NOT NULL,
	"basis" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"valid_from" date NOT NULL,
	"valid_to" date,
	CONSTRAINT "base_rates_route_id_service_level_equipment_type_valid_from_pk" PRIMARY KEY("route_id","service_level","equipment_type","valid_from")
);
--> statement-breakpoint
CREATE TABLE "carriers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "carriers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"name" text NOT NULL,
	"cargo_types" "cargo_type"[] NOT NULL,
	CONSTRAINT "carriers_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"scope" text NOT NULL,
	"key_hash" text NOT NULL,
	"endpoint" text NOT NULL,
	"request_hash" text NOT NULL,
	"sealed_response" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_scope_key_hash_pk" PRIMARY KEY("scope","key_hash")
);
--> statement-breakpoint
CREATE TABLE "invoice_counters" (
	"year" integer PRIMARY KEY NOT NULL,
	"last_number" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invoices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"order_id" integer NOT NULL,
	"kind" "invoice_kind" NOT NULL,
	"year" integer NOT NULL,
	"number" integer NOT NULL,
	"currency" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"refund_id" text,
	CONSTRAINT "invoices_refundId_unique" UNIQUE("refund_id"),
	CONSTRAINT "invoices_number_key" UNIQUE("year","number"),
	CONSTRAINT "invoices_sign" CHECK (("invoices"."kind" = 'invoice') = ("invoices"."amount_cents" >= 0))
);
--> statement-breakpoint
CREATE TABLE "order_lines" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"order_id" integer NOT NULL,
	"period_id" integer NOT NULL,
	"route_id" integer NOT NULL,
	"subscription_id" integer,
	"term" "subscription_term" NOT NULL,
	"monthly_cents" integer NOT NULL,
	"list_cents" integer NOT NULL,
	"term_discount_percent" smallint NOT NULL,
	"volume_discount_percent" smallint NOT NULL,
	"discount_cents" integer NOT NULL,
	"credit_cents" integer DEFAULT 0 NOT NULL,
	"total_cents" integer NOT NULL,
	CONSTRAINT "order_lines_order_period_key" UNIQUE("order_id","period_id"),
	CONSTRAINT "order_lines_total" CHECK ("order_lines"."total_cents" = greatest(0, "order_lines"."list_cents" - "order_lines"."discount_cents" - "order_lines"."credit_cents") and "order_lines"."total_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"kind" "order_kind" NOT NULL,
	"status" "order_status" DEFAULT 'pending' NOT NULL,
	"currency" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"auto_renew" boolean NOT NULL,
	"payment_intent_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	CONSTRAINT "orders_paymentIntentId_unique" UNIQUE("payment_intent_id"),
	CONSTRAINT "orders_amount" CHECK ("orders"."amount_cents" >= 0),
	CONSTRAINT "orders_paid" CHECK (("orders"."status" = 'pending') = ("orders"."paid_at" is null))
);
--> statement-breakpoint
CREATE TABLE "outbox_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"dedupe_key" text NOT NULL,
	"account_id" integer,
	"to_address" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"last_error" text,
	CONSTRAINT "outbox_messages_dedupeKey_unique" UNIQUE("dedupe_key")
);
--> statement-breakpoint
CREATE TABLE "paid_terms" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "paid_terms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"subscription_id" integer NOT NULL,
	"order_line_id" integer NOT NULL,
	"term" "subscription_term" NOT NULL,
	"start_date" date NOT NULL,
	"end_date" date NOT NULL,
	"total_cents" integer NOT NULL,
	CONSTRAINT "paid_terms_orderLineId_unique" UNIQUE("order_line_id"),
	CONSTRAINT "paid_terms_dates" CHECK ("paid_terms"."end_date" > "paid_terms"."start_date")
);
--> statement-breakpoint
CREATE TABLE "payment_methods" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_methods_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"stripe_payment_method_id" text NOT NULL,
	"brand" text NOT NULL,
	"last4" text NOT NULL,
	"exp_month" smallint NOT NULL,
	"exp_year" smallint NOT NULL,
	"is_default" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_methods_stripePaymentMethodId_unique" UNIQUE("stripe_payment_method_id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"order_id" integer NOT NULL,
	"payment_intent_id" text NOT NULL,
	"charge_id" text,
	"currency" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"disputed_at" timestamp (3) with time zone,
	"card_brand" text,
	"card_last4" text,
	"paid_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_orderId_unique" UNIQUE("order_id"),
	CONSTRAINT "payments_paymentIntentId_unique" UNIQUE("payment_intent_id"),
	CONSTRAINT "payments_chargeId_unique" UNIQUE("charge_id"),
	CONSTRAINT "payments_refunded" CHECK ("payments"."refunded_cents" between 0 and "payments"."amount_cents")
);
--> statement-breakpoint
CREATE TABLE "periods" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "periods_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"route_id" integer NOT NULL,
	"name" text NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"freshness" "freshness" NOT NULL,
	"successor_period_id" integer,
	CONSTRAINT "periods_code_unique" UNIQUE("code"),
	CONSTRAINT "periods_order" CHECK ("periods"."ends_on" > "periods"."starts_on")
);
--> statement-breakpoint
CREATE TABLE "ports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"unlocode" text NOT NULL,
	"alt_unlocodes" text[] DEFAULT '{}' NOT NULL,
	"name" text NOT NULL,
	"country_code" text NOT NULL,
	"country" text NOT NULL,
	"region_id" integer NOT NULL,
	"lat" double precision NOT NULL,
	"lon" double precision NOT NULL,
	"tier" smallint NOT NULL,
	"cargo_types" "cargo_type"[] NOT NULL,
	"timezone" text NOT NULL,
	CONSTRAINT "ports_unlocode_unique" UNIQUE("unlocode")
);
--> statement-breakpoint
CREATE TABLE "regions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "regions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"name" text NOT NULL,
	"geography" text NOT NULL,
	CONSTRAINT "regions_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "renewal_attempts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "renewal_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"subscription_id" integer NOT NULL,
	"order_id" integer NOT NULL,
	"end_date" date NOT NULL,
	"attempted_on" date NOT NULL,
	"state" "renewal_attempt_state" DEFAULT 'pending' NOT NULL,
	"idempotency_key" text NOT NULL,
	"decline_code" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "renewal_attempts_orderId_unique" UNIQUE("order_id"),
	CONSTRAINT "renewal_attempts_idempotencyKey_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "renewal_attempts_day_key" UNIQUE("subscription_id","end_date","attempted_on")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"period_id" integer NOT NULL,
	"type" "report_type" NOT NULL,
	"observed_at" timestamp (3) with time zone NOT NULL,
	"service_level" "service_level_name" NOT NULL,
	"vessel" text,
	"voyage" text,
	"etd" timestamp (3) with time zone,
	"eta" timestamp (3) with time zone,
	"transit_days" double precision,
	"base_rate_cents" integer,
	"surcharges_cents" integer,
	"available_capacity" integer,
	"booking_status" "booking_status",
	"on_time_percent" double precision,
	"mean_delay_days" double precision,
	"external_id" text,
	CONSTRAINT "reports_observation_key" UNIQUE("period_id","observed_at","type","service_level"),
	CONSTRAINT "reports_available_capacity" CHECK ("reports"."available_capacity" >= 0)
);
--> statement-breakpoint
CREATE TABLE "route_groups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "route_groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"name" text NOT NULL,
	"trade_lane_id" integer NOT NULL,
	"cargo_type" "cargo_type" NOT NULL,
	CONSTRAINT "route_groups_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "routes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "routes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"name" text NOT NULL,
	"route_group_id" integer NOT NULL,
	"carrier_id" integer NOT NULL,
	"cargo_type" "cargo_type" NOT NULL,
	"origin_port_id" integer NOT NULL,
	"destination_port_id" integer NOT NULL,
	"distance_nm" integer NOT NULL,
	"passages" text[] DEFAULT '{}' NOT NULL,
	"transhipments" smallint DEFAULT 0 NOT NULL,
	"intermediate_calls" smallint DEFAULT 0 NOT NULL,
	"sailings_per_week" double precision NOT NULL,
	"departure_weekdays" smallint[] NOT NULL,
	"waypoints" jsonb NOT NULL,
	"capacity_nominal" integer NOT NULL,
	"capacity_available" integer NOT NULL,
	"booking_status" "booking_status" NOT NULL,
	"capacity_observed_at" timestamp (3) with time zone NOT NULL,
	"popularity_percent" smallint DEFAULT 80 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "routes_code_unique" UNIQUE("code"),
	CONSTRAINT "routes_popularity_percent" CHECK ("routes"."popularity_percent" between 80 and 150),
	CONSTRAINT "routes_capacity" CHECK ("routes"."capacity_available" between 0 and "routes"."capacity_nominal")
);
--> statement-breakpoint
CREATE TABLE "service_levels" (
	"route_id" integer NOT NULL,
	"level" "service_level_name" NOT NULL,
	"speed_knots" double precision NOT NULL,
	"transit_days" smallint NOT NULL,
	CONSTRAINT "service_levels_route_id_level_pk" PRIMARY KEY("route_id","level")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"kind" "session_kind" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"user_agent" text,
	"ip_address" text
);
--> statement-breakpoint
CREATE TABLE "simulator_objects" (
	"id" text PRIMARY KEY NOT NULL,
	"object" text NOT NULL,
	"parent_id" text,
	"body" jsonb NOT NULL,
	"hidden" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "simulator_requests" (
	"idempotency_key" text PRIMARY KEY NOT NULL,
	"request_hash" text NOT NULL,
	"status" smallint,
	"body" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"route_id" integer NOT NULL,
	"period_id" integer NOT NULL,
	"term" "subscription_term" NOT NULL,
	"renewal_term" "subscription_term" NOT NULL,
	"start_date" date NOT NULL,
	"anchor_date" date NOT NULL,
	"months_paid" integer NOT NULL,
	"end_date" date NOT NULL,
	"auto_renew" boolean NOT NULL,
	"cancelled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "subscriptions_dates" CHECK ("subscriptions"."end_date" > "subscriptions"."start_date")
);
--> statement-breakpoint
CREATE TABLE "surcharges" (
	"route_id" integer NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"basis" text NOT NULL,
	"mandatory" boolean NOT NULL,
	"valid_from" date NOT NULL,
	"valid_to" date,
	CONSTRAINT "surcharges_route_id_code_valid_from_pk" PRIMARY KEY("route_id","code","valid_from")
);
--> statement-breakpoint
CREATE TABLE "test_clock" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"ahead_ms" bigint NOT NULL,
	CONSTRAINT "test_clock_one_row" CHECK ("test_clock"."id" = 1 and "test_clock"."ahead_ms" >= 0)
);
--> statement-breakpoint
CREATE TABLE "trade_lanes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "trade_lanes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"name" text NOT NULL,
	"region_id" integer NOT NULL,
	"origin_region_id" integer NOT NULL,
	"destination_region_id" integer NOT NULL,
	"haul" "haul" NOT NULL,
	"base_price_cents" integer NOT NULL,
	CONSTRAINT "trade_lanes_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "usage_days" (
	"account_id" integer NOT NULL,
	"day" date NOT NULL,
	"api_key_id" integer NOT NULL,
	"endpoint" text NOT NULL,
	"route_id" integer NOT NULL,
	"requests" integer NOT NULL,
	"errors" integer NOT NULL,
	"rate_limited" integer NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "usage_days_account_id_day_api_key_id_endpoint_route_id_pk" PRIMARY KEY("account_id","day","api_key_id","endpoint","route_id")
);
--> statement-breakpoint
CREATE TABLE "usage_hours" (
	"account_id" integer NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"api_key_id" integer NOT NULL,
	"requests" integer NOT NULL,
	"errors" integer NOT NULL,
	"rate_limited" integer NOT NULL,
	CONSTRAINT "usage_hours_account_id_hour_api_key_id_pk" PRIMARY KEY("account_id","hour","api_key_id")
);
--> statement-breakpoint
CREATE TABLE "usage_logs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "usage_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"method" text NOT NULL,
	"endpoint" text NOT NULL,
	"status" smallint NOT NULL,
	"duration_ms" double precision NOT NULL,
	"response_bytes" integer NOT NULL,
	"api_key_id" integer,
	"api_key_name" text,
	"route_id" integer,
	"request_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"handled_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor_account_id_accounts_id_fk" FOREIGN KEY ("actor_account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "base_rates" ADD CONSTRAINT "base_rates_route_id_service_level_service_levels_route_id_level_fk" FOREIGN KEY ("route_id","service_level") REFERENCES "public"."service_levels"("route_id","level") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_period_id_periods_id_fk" FOREIGN KEY ("period_id") REFERENCES "public"."periods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox_messages" ADD CONSTRAINT "outbox_messages_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paid_terms" ADD CONSTRAINT "paid_terms_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paid_terms" ADD CONSTRAINT "paid_terms_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "periods" ADD CONSTRAINT "periods_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "periods" ADD CONSTRAINT "periods_successor_period_id_periods_id_fk" FOREIGN KEY ("successor_period_id") REFERENCES "public"."periods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ports" ADD CONSTRAINT "ports_region_id_regions_id_fk" FOREIGN KEY ("region_id") REFERENCES "public"."regions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewal_attempts" ADD CONSTRAINT "renewal_attempts_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renewal_attempts" ADD CONSTRAINT "renewal_attempts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_period_id_periods_id_fk" FOREIGN KEY ("period_id") REFERENCES "public"."periods"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "route_groups" ADD CONSTRAINT "route_groups_trade_lane_id_trade_lanes_id_fk" FOREIGN KEY ("trade_lane_id") REFERENCES "public"."trade_lanes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_route_group_id_route_groups_id_fk" FOREIGN KEY ("route_group_id") REFERENCES "public"."route_groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_carrier_id_carriers_id_fk" FOREIGN KEY ("carrier_id") REFERENCES "public"."carriers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_origin_port_id_ports_id_fk" FOREIGN KEY ("origin_port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_destination_port_id_ports_id_fk" FOREIGN KEY ("destination_port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_levels" ADD CONSTRAINT "service_levels_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_period_id_periods_id_fk" FOREIGN KEY ("period_id") REFERENCES "public"."periods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "surcharges" ADD CONSTRAINT "surcharges_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_lanes" ADD CONSTRAINT "trade_lanes_region_id_regions_id_fk" FOREIGN KEY ("region_id") REFERENCES "public"."regions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_lanes" ADD CONSTRAINT "trade_lanes_origin_region_id_regions_id_fk" FOREIGN KEY ("origin_region_id") REFERENCES "public"."regions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_lanes" ADD CONSTRAINT "trade_lanes_destination_region_id_regions_id_fk" FOREIGN KEY ("destination_region_id") REFERENCES "public"."regions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email_key" ON "accounts" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_username_key" ON "accounts" USING btree (lower("username"));--> statement-breakpoint
CREATE INDEX "api_keys_account_id_idx" ON "api_keys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "audit_log_account_id_idx" ON "audit_log" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_order_id_key" ON "invoices" USING btree ("order_id") WHERE "invoices"."kind" = 'invoice';--> statement-breakpoint
CREATE INDEX "invoices_account_id_idx" ON "invoices" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "orders_account_id_idx" ON "orders" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "outbox_messages_due_at_idx" ON "outbox_messages" USING btree ("due_at") WHERE "outbox_messages"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "paid_terms_subscription_id_idx" ON "paid_terms" USING btree ("subscription_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_methods_default_key" ON "payment_methods" USING btree ("account_id") WHERE "payment_methods"."is_default";--> statement-breakpoint
CREATE INDEX "payment_methods_account_id_idx" ON "payment_methods" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "payments_account_id_idx" ON "payments" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "periods_route_id_idx" ON "periods" USING btree ("route_id","starts_on");--> statement-breakpoint
CREATE INDEX "ports_alt_unlocodes_idx" ON "ports" USING gin ("alt_unlocodes");--> statement-breakpoint
CREATE UNIQUE INDEX "renewal_attempts_one_charge_key" ON "renewal_attempts" USING btree ("subscription_id","end_date") WHERE "renewal_attempts"."state" in ('pending', 'succeeded');--> statement-breakpoint
CREATE INDEX "route_groups_trade_lane_id_idx" ON "route_groups" USING btree ("trade_lane_id");--> statement-breakpoint
CREATE INDEX "routes_route_group_id_idx" ON "routes" USING btree ("route_group_id");--> statement-breakpoint
CREATE INDEX "routes_origin_port_id_idx" ON "routes" USING btree ("origin_port_id");--> statement-breakpoint
CREATE INDEX "routes_destination_port_id_idx" ON "routes" USING btree ("destination_port_id");--> statement-breakpoint
CREATE INDEX "routes_carrier_id_idx" ON "routes" USING btree ("carrier_id");--> statement-breakpoint
CREATE INDEX "sessions_account_id_idx" ON "sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at_idx" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "simulator_objects_parent_id_idx" ON "simulator_objects" USING btree ("object","parent_id");--> statement-breakpoint
CREATE INDEX "subscriptions_account_id_idx" ON "subscriptions" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_route_id_idx" ON "subscriptions" USING btree ("route_id","end_date");--> statement-breakpoint
CREATE INDEX "subscriptions_end_date_idx" ON "subscriptions" USING btree ("end_date");--> statement-breakpoint
CREATE INDEX "usage_days_api_key_id_idx" ON "usage_days" USING btree ("api_key_id","day");--> statement-breakpoint
CREATE INDEX "usage_logs_account_id_idx" ON "usage_logs" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "usage_logs_occurred_at_idx" ON "usage_logs" USING btree ("account_id","occurred_at");